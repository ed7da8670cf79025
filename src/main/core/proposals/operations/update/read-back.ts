import type { CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import {
  diffCampaigns,
  fieldLabel,
  normaliseCampaign,
  readBackVerdicts,
  storedEvidence,
  valueInWords,
} from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { Effect, ReadBack } from '../operation.ts';
import { cidOf, updateParts, type UpdateParts } from './stored-parts.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Reads the campaign after the write and judges every field that was sent. A field named volatile cannot be judged. */
export async function readBackUpdate(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<ReadBack> {
  const parts = updateParts(proposal);
  const volatile = proposal.rebase?.volatile ?? [];
  const found = await findCampaign(client, cidOf(proposal));
  if (found === null) return { isAsSent: false, evidence: 'other', verdicts: unjudged(parts, formats) };
  const verdicts = readBackVerdicts(parts.after, found, parts.context, formats).map((verdict) =>
    volatile.includes(verdict.field) && verdict.verdict === 'different'
      ? { ...verdict, verdict: 'unknown' as const }
      : verdict,
  );
  return {
    isAsSent: verdicts.every(({ verdict }) => verdict !== 'different'),
    evidence: storedEvidence({ base: parts.before, sent: parts.after, found, volatile }),
    verdicts,
  };
}

/** Null when the service has no such campaign any more. */
async function findCampaign(client: CampaignReader, cid: number): Promise<JsonObject | null> {
  try {
    return (await client.get(cid)).edit.campaign;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return null;
    throw failure;
  }
}

function unjudged({ after, context }: UpdateParts, formats: Formats): ReadBack['verdicts'] {
  return Object.entries(after).map(([field, value]) => ({
    field,
    label: fieldLabel(field),
    verdict: 'unknown',
    sent: valueInWords(field, value, context, formats),
    found: '',
  }));
}

/** The effect of a full update, as far as the read after it found the fields stored or normalised. */
export function updateEffects(proposal: StoredProposal): Effect[] {
  const { before, after, context } = updateParts(proposal);
  return effectsOfCampaign({ cid: cidOf(proposal), before, after, context }, proposal.verdicts);
}

/** The same for any write of one campaign that is judged field by field. */
function effectsOfCampaign(
  { cid, before, after, context }: Omit<Effect, 'name'>,
  verdicts: StoredProposal['verdicts'],
): Effect[] {
  const stored = storedFields(after, verdicts);
  const changes = diffCampaigns(before, { ...before, ...stored }).filter(({ field }) =>
    Object.hasOwn(stored, field),
  );
  if (changes.length === 0) return [];
  const { name } = before;
  return [
    {
      cid,
      name: typeof name === 'string' ? name : '',
      before: sideOf(changes, 'before'),
      after: sideOf(changes, 'after'),
      context,
    },
  ];
}

/** The fields as the service keeps them; a list that its flag empties is among them. */
function storedFields(sent: JsonObject, verdicts: StoredProposal['verdicts']): JsonObject {
  const normalised = normaliseCampaign(sent);
  const stored = verdicts.flatMap(({ field, verdict }): [string, JsonValue | undefined][] => {
    if (verdict === 'stored') return [[field, sent[field]]];
    return verdict === 'normalised' ? [[field, normalised[field]]] : [];
  });
  return objectOf(stored);
}

function sideOf(
  changes: readonly { field: string; before: JsonValue | undefined; after: JsonValue | undefined }[],
  side: 'before' | 'after',
): JsonObject {
  return objectOf(changes.map((change) => [change.field, change[side]]));
}

function objectOf(entries: readonly [string, JsonValue | undefined][]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
