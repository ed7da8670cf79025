import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import type { Connection } from '#core/connections/index.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { fieldWords, editFailures } from '#shared/campaign/index.ts';
import { type FieldMove, isStatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Skipped } from '../operations/stored-proposals.ts';
import type { StatusRequest } from '../operations/status-change/prepare.ts';
import { contextOf, type UpdateRequest } from '../operations/update.ts';
import { type CampaignNetChange, isOther } from './net-changes.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, ownWords, type OwnWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { valuesInWords, valueWords } from '#shared/wording/index.ts';

interface CampaignReversal {
  ownChanges: FieldMove[];
  skipped: Skipped[];
}

interface ReversalOptions {
  store: Pick<AppStore, 'proposals'>;
  connection: Connection;
  left: OwnWords;
}

export function reversalsOf(
  { store, connection: { profile, member }, left }: ReversalOptions,
  campaigns: readonly CampaignNetChange[],
  formats: Formats,
): Promise<(CampaignReversal & { cid: number })[]> {
  async function reversalOf(campaign: CampaignNetChange): Promise<CampaignReversal> {
    if (store.proposals.lockOf(profile.id, campaign.cid) !== null) return leaveCampaign(campaign, inProgress);
    try {
      return reverseCampaign(campaign, await member.get(campaign.cid), left, formats);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'campaign_not_found') throw failure;
      return leaveCampaign(campaign, sentence`The campaign is gone.`);
    }
  }
  return mapConcurrently(campaigns, concurrentReads, async (campaign) => ({
    cid: campaign.cid,
    ...(await reversalOf(campaign)),
  }));
}

export const inProgress = sentence`Another change to it is in progress, or its outcome is unknown.`;

/** Includes the first reason in the message, because it is shown nowhere else. */
export function nothingToReverse(
  [first, ...more]: readonly Skipped[],
  wanted: 'reverse' | 'undo' = 'reverse',
): AppError {
  if (first === undefined) return new AppError('nothing_to_reverse');
  const others = more.length === 0 ? '' : ` The same goes for ${more.length} more.`;
  const message = sentence`Nothing is left to ${ownWords(wanted)}. ${ownWords(first.what)}: ${ownWords(first.because + others)}`;
  return new AppError('nothing_to_reverse', { message });
}

function leaveCampaign({ cid, name }: CampaignNetChange, because: Sentence): CampaignReversal {
  return { ownChanges: [], skipped: [{ what: sentence`${name} (${cid})`, because }] };
}

function reverseCampaign(
  folded: CampaignNetChange,
  read: CampaignRead,
  left: OwnWords,
  formats: Formats,
): CampaignReversal {
  const ownChanges: FieldMove[] = [];
  const skipped: Skipped[] = [];
  for (const change of folded.changes) {
    const result = ownChangeOf(change, read, left, formats);
    if (typeof result === 'string') skipped.push(skip(folded, change.field, result));
    else ownChanges.push(result);
  }
  return withoutRefused(folded, { ownChanges, skipped }, read, formats);
}

function ownChangeOf(
  { field, before, after }: CampaignNetChange['changes'][number],
  { edit }: CampaignRead,
  left: OwnWords,
  formats: Formats,
): FieldMove | Sentence {
  const now = Object.hasOwn(edit.campaign, field) ? edit.campaign[field] : undefined;
  if (now === undefined) return sentence`The campaign does not have it any more.`;
  if (before === undefined) return sentence`The campaign did not have it before.`;
  if (after === undefined || isOther(field, after, now)) {
    const words = valuesInWords(field, { before: now, after }, contextOf(edit), formats);
    return sentence`It is ${valueWords(field, words.before)} now; ${left} ${valueWords(field, words.after)}.`;
  }
  return { field, from: now, to: before };
}

function withoutRefused(
  folded: CampaignNetChange,
  reversal: CampaignReversal,
  read: CampaignRead,
  formats: Formats,
): CampaignReversal {
  const { ownChanges, skipped } = reversal;
  if (ownChanges.length === 0) return reversal;
  const wanted = Object.fromEntries(ownChanges.map(({ field, to }) => [field, to]));
  const failures = editFailures({ ...read.edit.campaign, ...wanted }, read.edit, formats);
  if (failures.length === 0) return reversal;
  const refused = failures.filter(({ field }) => Object.hasOwn(wanted, field));
  if (refused.length === 0) {
    const because = joinSentences(failures.map(({ message }) => message));
    const status = ownChanges.find(({ field }) => field === 'status');
    if (status === undefined || ownChanges.length === 1)
      return { ownChanges: [], skipped: [...skipped, ...leaveCampaign(folded, because).skipped] };
    // The service checks no other field if only the status changes.
    const others = ownChanges.filter((one) => one !== status);
    const left = others.map(({ field }) => skip(folded, field, because));
    return withoutRefused(folded, { ownChanges: [status], skipped: [...skipped, ...left] }, read, formats);
  }
  const reasons = new Map(refused.map(({ field, message }) => [field, message]));
  const left = {
    ownChanges: ownChanges.filter(({ field }) => !reasons.has(field)),
    skipped: [...skipped, ...[...reasons].map(([field, message]) => skip(folded, field, message))],
  };
  return withoutRefused(folded, left, read, formats);
}

function skip({ cid, name }: CampaignNetChange, field: string, because: Sentence): Skipped {
  return { what: sentence`${fieldWords(field)} of ${name} (${cid})`, because };
}

export function writesOf(reversals: readonly (CampaignReversal & { cid: number })[]): {
  updates: UpdateRequest[];
  statuses: StatusRequest[];
} {
  const updates: UpdateRequest[] = [];
  const byStatus = new Map<JsonValue, number[]>();
  for (const { cid, ownChanges } of reversals) {
    const [only, ...more] = ownChanges;
    if (only === undefined) continue;
    if (only.field === 'status' && more.length === 0) {
      byStatus.set(only.to, [...(byStatus.get(only.to) ?? []), cid]);
    } else updates.push({ cid, changes: ownChanges });
  }
  const statuses = [...byStatus].flatMap(([status, cids]) =>
    isStatusCode(status) ? [{ cids, status }] : [],
  );
  return { updates, statuses };
}
