import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import type { Connection } from '#core/connections/index.ts';
import type { CampaignRead } from '#core/service-client/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import {
  fieldWords,
  editFailures,
  diffCampaigns,
  judgeFields,
  type FieldEffect,
} from '#shared/campaign/index.ts';
import { type FieldMove, isStatusCode, type CampaignContext } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type JsonValue, type JsonObject, own } from '#shared/lib/json/json-value.ts';
import type { Skipped } from '../operations/stored-proposals.ts';
import type { StatusRequest } from '../operations/status-change/prepare.ts';
import { contextOf, type UpdateRequest } from '../operations/update.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, ownWords, type OwnWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { valuesInWords, valueWords } from '#shared/wording/index.ts';
import type { Effect } from '../operations/operation.ts';

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

export interface Step {
  author:
    | { kind: 'agent'; name: string }
    /** An agent that the query does not ask about. */
    | { kind: 'other agent' }
    /** Includes reversals. */
    | { kind: 'person' };
  effects: readonly Effect[];
}

export interface CampaignNetChange {
  cid: number;
  name: string;
  context: CampaignContext | null;
  /** Fields whose value differs from the value at the beginning. */
  changes: (FieldEffect & { steps: number; agents: string[] })[];
}

interface Folding {
  name: string;
  context: CampaignContext | null;
  before: JsonObject;
  after: JsonObject;
  touched: Map<string, string[]>;
}

/** Folds steps, oldest first, per campaign and field. A value set elsewhere restarts the field. A person's change ends it. */
export function netChangesOf(steps: readonly Step[]): CampaignNetChange[] {
  const campaigns = new Map<number, Folding>();
  for (const { author, effects } of steps) {
    for (const effect of effects) {
      if (author.kind === 'agent') addEffect(campaigns, effect, author.name);
      else endFields(campaigns.get(effect.cid), effect, author);
    }
  }
  return [...campaigns].flatMap(([cid, folding]) => folded(cid, folding));
}

function endFields(folding: Folding | undefined, { before, after }: Effect, { kind }: Step['author']): void {
  if (folding === undefined) return;
  for (const field of fieldsOf(before, after)) {
    if (kind !== 'person' && isOther(field, own(folding.before, field), own(after, field))) continue;
    folding.touched.delete(field);
    delete folding.before[field];
    delete folding.after[field];
  }
}

function addEffect(campaigns: Map<number, Folding>, effect: Effect, agent: string): void {
  const { cid, name, context, before, after } = effect;
  const known = campaigns.get(cid);
  const folding = known ?? { name, context, before: {}, after: {}, touched: new Map<string, string[]>() };
  if (known === undefined) campaigns.set(cid, folding);
  folding.name = name;
  folding.context = context ?? folding.context;
  for (const field of fieldsOf(before, after)) {
    const agents = folding.touched.get(field);
    if (agents === undefined || isOther(field, own(folding.after, field), own(before, field))) {
      folding.touched.set(field, [agent]);
      copy(before, folding.before, field);
    } else agents.push(agent);
    copy(after, folding.after, field);
  }
}

function fieldsOf(before: JsonObject, after: JsonObject): Set<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

function copy(from: JsonObject, to: JsonObject, field: string): void {
  const value = own(from, field);
  if (value === undefined) delete to[field];
  else to[field] = value;
}

function isOther(field: string, left: JsonValue | undefined, found: JsonValue | undefined): boolean {
  if (left === undefined || found === undefined) return left !== found;
  return judgeFields({ [field]: left }, { [field]: found }).get(field) === 'different';
}

function folded(cid: number, { name, context, before, after, touched }: Folding): CampaignNetChange[] {
  const changes = diffCampaigns(before, after).map((change) => {
    const agents = touched.get(change.field) ?? [];
    return { ...change, steps: agents.length, agents: [...new Set(agents)] };
  });
  return changes.length === 0 ? [] : [{ cid, name, context, changes }];
}
