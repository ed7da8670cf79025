import type { AppStore, Comparison } from '#core/store/app/index.ts';
import { diffCampaigns } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { mayBeVolatile } from '../../update/stored-parts.ts';
import type { Subject } from '../stored-parts.ts';
import { campaignIn, commitTool } from '../call-arguments.ts';

export const rememberedMs = 24 * 60 * 60 * 1_000;

/** Comparisons of the last writes, newest first, as far back as volatile fields are remembered. */
export function createComparisonsOf(
  { proposals }: Pick<AppStore, 'proposals'>,
  profileId: string,
  nowMs: number,
): (cid: number) => Comparison[] {
  return (cid) => proposals.comparisonsOf({ profileId, cid, afterMs: nowMs - rememberedMs });
}

export interface AskedCall {
  name: string;
  args: JsonObject;
  subject: Subject;
  /** Fields that the service's preparation changes; null if unknown. */
  changes: readonly string[] | null;
}

/** Volatile fields that the read before sending does not compare. Whatever the call changes, or may change, is always compared. */
export function notCompared(asked: AskedCall, comparisons: readonly Comparison[]): string[] {
  const { subject } = asked;
  if (subject.kind !== 'update' && subject.kind !== 'campaign') return [];
  const moving = movingByThemselves(comparisons);
  if (moving.size === 0) return [];
  const { campaign } = campaignEditSchema.parse(subject.read);
  const after = wantedBy(asked, campaign);
  return Object.keys(campaign).filter((field) => moving.has(field) && !after.has(field));
}

/** Fields that were volatile before, or that alone outdated two successive calls. A write in between shows that a field is not. */
function movingByThemselves(comparisons: readonly Comparison[]): Set<string> {
  const moving = new Set(comparisons.flatMap(({ volatile }) => volatile).filter(mayBeVolatile));
  for (const [at, { isCall, moved }] of comparisons.entries()) {
    const before = comparisons[at + 1];
    if (!isCall || before?.isCall !== true) continue;
    if (![...moved, ...before.moved].every(mayBeVolatile)) continue;
    for (const field of moved) if (before.moved.includes(field)) moving.add(field);
  }
  return moving;
}

function wantedBy({ name, args, subject, changes }: AskedCall, campaign: JsonObject): Set<string> {
  if (name !== commitTool || subject.kind !== 'update') return namesIn(args);
  // A payload has every field as prepared: one that has changed since was not requested.
  return new Set(
    changes ?? diffCampaigns(campaign, campaignIn({ name, args }) ?? {}).map(({ field }) => field),
  );
}

/** Texts count as names, too: `{field: 'title'}` names a field as `{title: …}` does. */
function namesIn(args: JsonObject): Set<string> {
  const names = new Set<string>();
  const look = (value: JsonValue): void => {
    if (typeof value === 'string') names.add(value);
    else if (Array.isArray(value)) value.forEach(look);
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        names.add(key);
        look(member);
      }
    }
  };
  look(args);
  return names;
}
