import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import {
  campaignFields,
  diffCampaigns,
  type FieldEffect,
  fieldLabel,
  fieldWords,
  isIdentity,
  isSameValue,
  notEditable,
  storedEvidence,
  updateFailures,
} from '#shared/campaign/index.ts';
import { type CampaignContext, campaignEditSchema, type FieldMove } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, jsonEqual, type JsonValue } from '#shared/lib/json/json-value.ts';
import { joinSentences, sentence } from '#shared/lib/sentence.ts';
import {
  changeInWords,
  readBackVerdicts,
  valueInWords,
  valuesInWords,
  valueWords,
} from '#shared/wording/index.ts';
import {
  accountOf,
  againOf,
  assertSameAccount,
  type ClientOf,
  type Operation,
  type PreparedWrite,
  type ReadBack,
  rebaseOf,
  type Reread,
} from './operation.ts';

interface UpdateParts {
  before: JsonObject;
  after: JsonObject;
  context: CampaignContext;
}

function baseText(read: CampaignRead): string {
  return canonicalJson(read.raw);
}

const campaignSchema = z.custom<JsonObject>(isJsonObject);

export function updateParts({ payload, base }: Pick<StoredProposal, 'payload' | 'base'>): UpdateParts {
  const edit = readStoredText(campaignEditSchema, base);
  return { before: edit.campaign, after: readStoredText(campaignSchema, payload), context: contextOf(edit) };
}

export function cidOf({ id, targets: [cid] }: StoredProposal): number {
  if (cid === undefined) throw new Error(`Proposal ${id} has no campaign`);
  return cid;
}

export function contextOf(edit: CampaignRead['edit']): CampaignContext {
  return { types: edit.campaign_types, settings: edit.settings };
}

/**
 * Fields that decide where the money goes, how much and when. Someone
 * else's change of them is always shown, never overwritten silently.
 */
const alwaysCompared: ReadonlySet<string> = new Set([
  'cid',
  'uid',
  'type',
  'status',
  'payout',
  'clickurl',
  'website',
  ...campaignFields.budget,
  ...campaignFields.flight,
  ...campaignFields.schedule,
  ...campaignFields.targeting,
]);

/** True if the field may be skipped after a warning when it changes on every read. */
export function mayBeVolatile(field: string): boolean {
  return !alwaysCompared.has(field);
}

/** Fails with `nothing_to_change`, or with `validation_failed` naming every invalid field. */
export function draftUpdate(
  cid: number,
  { read, payload, rebase }: { read: CampaignRead; payload: JsonObject; rebase: PreparedWrite['rebase'] },
  formats: Formats,
): PreparedWrite {
  if (diffCampaigns(read.edit.campaign, payload).length === 0) throw new AppError('nothing_to_change');
  const failures = updateFailures(payload, read.edit, formats);
  if (failures.length > 0) throw new AppError('validation_failed', { fields: failures });
  return {
    operation: 'campaign.update',
    targets: [cid],
    payload: canonicalJson(payload),
    base: baseText(read),
    rebase,
    account: accountOf(read.edit.campaign['uid']),
    endsAtMs: null,
  };
}

export interface UpdateRequest {
  cid: number;
  changes: readonly FieldMove[];
}

/**
 * Fails with `edit_conflict` if a value has changed since editing
 * began, `validation_failed`, `nothing_to_change`, or as the read does.
 */
export async function prepareUpdate(
  client: CampaignReader,
  { cid, changes }: UpdateRequest,
  formats: Formats,
): Promise<PreparedWrite> {
  const read = await client.get(cid);
  assertEditable(changes, read);
  assertStillThere(changes, read, formats);
  const wanted = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  return draftUpdate(cid, { read, payload: { ...read.edit.campaign, ...wanted }, rebase: null }, formats);
}

function assertEditable(changes: readonly FieldMove[], { edit }: CampaignRead): void {
  const seen = new Set<string>();
  const fields = changes.flatMap(({ field }): FieldError[] => {
    const again = seen.has(field);
    seen.add(field);
    if (again) return [{ field, code: 'not_allowed', message: sentence`Each field can be changed once.` }];
    if (!Object.hasOwn(edit.campaign, field)) {
      return [{ field, code: 'unknown_field', message: sentence`The campaign has no such field.` }];
    }
    return isIdentity(field) ? [notEditable(field)] : [];
  });
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

function assertStillThere(changes: readonly FieldMove[], { edit }: CampaignRead, formats: Formats): void {
  const context = contextOf(edit);
  const fields = changes.flatMap(({ field, from, to }): FieldError[] => {
    const now = edit.campaign[field];
    if (isSameValue(now, from)) return [];
    const words = valuesInWords(field, { before: from, after: now }, context, formats);
    const wanted = valuesInWords(field, { before: now, after: to }, context, formats).after;
    const message = sentence`${fieldWords(field)} was ${valueWords(field, words.before)} when you began. It is ${valueWords(field, words.after)} now; you want ${valueWords(field, wanted)}.`;
    return [{ field, code: 'moved', message }];
  });
  if (fields.length > 0) throw new AppError('edit_conflict', { fields });
}

/** The full update of one campaign (contract §4.1, PUT /login/campaigns/{cid}). */
export function createUpdateOperation(clientOf: ClientOf, formats: () => Formats): Operation {
  return {
    reread: (proposal) => rereadUpdate(clientOf(proposal), proposal, formats()),
    async send(proposal) {
      await clientOf(proposal).update(cidOf(proposal), proposal.payload);
      return null;
    },
    readBack: (proposal) => readBackUpdate(clientOf(proposal), proposal, formats()),
    prepareAgain: (proposal) => updateAgain(clientOf(proposal), proposal, formats()),
  };
}

/** Returns the failure if the campaign was deleted. Throws other failures, which tell nothing about the campaign. */
export async function readUnlessGone(client: CampaignReader, cid: number): Promise<CampaignRead | AppError> {
  try {
    return await client.get(cid);
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return failure;
    throw failure;
  }
}

/** `collisions` are fields of the change that now have a third value. */
function compare(proposal: StoredProposal, parts: UpdateParts, { edit }: CampaignRead) {
  assertSameAccount(proposal, accountOf(edit.campaign['uid']));
  const mine = diffCampaigns(parts.before, parts.after);
  const changed = diffCampaigns(parts.before, edit.campaign);
  const collides = ({ field, after }: FieldEffect): boolean =>
    mine.some((own) => own.field === field && !jsonEqual(own.after, after));
  return { mine, changed, collisions: changed.filter(collides) };
}

/** Adopts changes of other fields; a change of a requested field is a conflict. Fails with `account_changed`, or as the read does. */
export async function rereadUpdate(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<Reread> {
  const read = await readUnlessGone(client, cidOf(proposal));
  if (read instanceof AppError) return { kind: 'impossible', failure: read };
  const parts = updateParts(proposal);
  const compared = compare(proposal, parts, read);
  const volatile = proposal.rebase?.volatile ?? [];
  const isCompared = ({ field }: FieldEffect): boolean => !volatile.includes(field);
  const [changed, collisions] = [compared.changed.filter(isCompared), compared.collisions.filter(isCompared)];
  if (collisions.length > 0) {
    return { kind: 'conflict', conflict: conflictsOf(collisions, compared.mine, parts, formats) };
  }
  if (changed.length > 0) return rebased(proposal, { read, mine: compared.mine, changed, volatile }, formats);
  const fields = updateFailures(parts.after, read.edit, formats);
  return fields.length === 0
    ? { kind: 'unchanged', before: [{ cid: cidOf(proposal), campaign: read.edit.campaign }] }
    : { kind: 'impossible', failure: new AppError('validation_failed', { fields }) };
}

async function updateAgain(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<PreparedWrite> {
  const cid = cidOf(proposal);
  const read = await client.get(cid);
  const parts = updateParts(proposal);
  const { mine, changed, collisions } = compare(proposal, parts, read);
  if (collisions.length > 0) {
    const conflicts = conflictsOf(collisions, mine, parts, formats);
    const fields = conflicts.map(({ field, base, mine: wanted, theirs }) => ({
      field,
      code: 'moved',
      message: sentence`${fieldWords(field)} was ${valueWords(field, base)} when this was proposed. It is ${valueWords(field, theirs)} now; the proposal wants ${valueWords(field, wanted)}.`,
    }));
    throw new AppError('edit_conflict', {
      message: joinSentences(fields.map(({ message }) => message)),
      fields,
    });
  }
  const context = contextOf(read.edit);
  const moved = changed.map((change) => changeInWords(change, context, formats));
  const payload = applied(mine, read.edit.campaign);
  return draftUpdate(cid, { read, payload, rebase: againOf(proposal, moved) }, formats);
}

interface CampaignDiff {
  read: CampaignRead;
  mine: readonly FieldEffect[];
  changed: readonly FieldEffect[];
  volatile: readonly string[];
}

function rebased(
  proposal: StoredProposal,
  { read, mine, changed, volatile }: CampaignDiff,
  formats: Formats,
): Reread {
  const context = contextOf(read.edit);
  const changedBefore = proposal.rebase?.moved.map(({ field }) => field) ?? [];
  const changedTwice = changed
    .map(({ field }) => field)
    .filter((field) => changedBefore.includes(field) && mayBeVolatile(field));
  const moved = changed.map((change) => changeInWords(change, context, formats));
  const rebase = rebaseOf(proposal, moved, [...volatile, ...changedTwice]);
  try {
    const payload = applied(mine, read.edit.campaign);
    return { kind: 'outdated', successor: draftUpdate(cidOf(proposal), { read, payload, rebase }, formats) };
  } catch (failure) {
    if (failure instanceof AppError) return { kind: 'impossible', failure };
    throw failure;
  }
}

function applied(mine: readonly FieldEffect[], campaign: JsonObject): JsonObject {
  const ownChanges = mine.flatMap(({ field, after }): [string, JsonValue][] =>
    after === undefined ? [] : [[field, after]],
  );
  return { ...campaign, ...Object.fromEntries(ownChanges) };
}

function conflictsOf(
  collisions: readonly FieldEffect[],
  mine: readonly FieldEffect[],
  { context }: UpdateParts,
  formats: Formats,
): StoredProposal['conflict'] {
  return collisions.map(({ field, before, after }) => {
    const own = mine.find((change) => change.field === field);
    const { before: base, after: theirs } = valuesInWords(field, { before, after }, context, formats);
    const wanted = valuesInWords(field, { before, after: own?.after }, context, formats).after;
    return { field, label: fieldLabel(field), base, mine: wanted, theirs };
  });
}

export async function readBackUpdate(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<ReadBack> {
  const parts = updateParts(proposal);
  const volatile = proposal.rebase?.volatile ?? [];
  const read = await readUnlessGone(client, cidOf(proposal));
  if (read instanceof AppError) {
    return { isAsSent: false, evidence: 'other', verdicts: unjudged(parts, formats) };
  }
  const found = read.edit.campaign;
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

function unjudged({ after, context }: UpdateParts, formats: Formats): ReadBack['verdicts'] {
  return Object.entries(after).map(([field, value]) => ({
    field,
    label: fieldLabel(field),
    verdict: 'unknown',
    sent: valueInWords(field, value, context, formats),
    found: '',
  }));
}
