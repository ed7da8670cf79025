import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import {
  changeInWords,
  valuesInWords,
  valueWords,
  readBackVerdicts,
  valueInWords,
} from '#shared/wording/index.ts';
import {
  diffCampaigns,
  fieldLabel,
  updateFailures,
  type FieldEffect,
  fieldWords,
  storedEvidence,
} from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import {
  accountOf,
  assertSameAccount,
  againOf,
  type PreparedWrite,
  type Reread,
  type ReadBack,
  type ClientOf,
  type Operation,
} from '../operation.ts';
import { cidOf, contextOf, mayBeVolatile, updateParts, type UpdateParts } from './stored-parts.ts';
import { draftUpdate } from './prepare.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, sentence } from '#shared/lib/sentence.ts';

/**
 * Compares the current campaign with the one that the user saw. A change outside the request is adopted and the
 * request proposed again. A change inside it is a conflict. A volatile field is not compared. Changed types or
 * settings are validated against even if no field changed. Fails with `account_changed`, or as the read does.
 */
export async function rereadUpdate(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<Reread> {
  const read = await client.get(cidOf(proposal)).catch(goneOrThrow);
  if (read instanceof AppError) return { kind: 'impossible', failure: read };
  const parts = updateParts(proposal);
  const now = read.edit.campaign;
  assertSameAccount(proposal, accountOf(now['uid']));
  const volatile = proposal.rebase?.volatile ?? [];
  const changed = diffCampaigns(parts.before, now).filter(({ field }) => !volatile.includes(field));
  const mine = diffCampaigns(parts.before, parts.after);
  const overlap = changed.filter((change) => collides(change, mine));
  if (overlap.length > 0) return { kind: 'conflict', conflict: inWords(overlap, mine, parts, formats) };
  return changed.length > 0
    ? rebased(proposal, { read, mine, changed, volatile }, formats)
    : stillValid(proposal, parts.after, read, formats);
}

/**
 * The same change on the campaign as it is now, for a proposal whose time has ended. Fails with `edit_conflict` if someone else set
 * one of its fields to another value, `validation_failed`, `nothing_to_change`, `account_changed`, or as the read does.
 */
export async function updateAgain(
  client: CampaignReader,
  proposal: StoredProposal,
  formats: Formats,
): Promise<PreparedWrite> {
  const cid = cidOf(proposal);
  const read = await client.get(cid);
  const parts = updateParts(proposal);
  const now = read.edit.campaign;
  assertSameAccount(proposal, accountOf(now['uid']));
  const changed = diffCampaigns(parts.before, now);
  const mine = diffCampaigns(parts.before, parts.after);
  const overlap = changed.filter((change) => collides(change, mine));
  if (overlap.length > 0) {
    const fields = inWords(overlap, mine, parts, formats).map(({ field, base, mine: wanted, theirs }) => ({
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
  return draftUpdate(cid, { read, payload: applied(mine, now), rebase: againOf(proposal, moved) }, formats);
}

/** Returns the failure of a deleted campaign; every other failure says nothing about the campaign. */
function goneOrThrow(failure: unknown): AppError {
  if (failure instanceof AppError && failure.code === 'campaign_not_found') return failure;
  throw failure;
}

/** True if the field got another value than the user wants; the same value is no conflict. */
function collides({ field, after }: FieldEffect, mine: readonly FieldEffect[]): boolean {
  return mine.some((own) => own.field === field && !jsonEqual(own.after, after));
}

function stillValid(
  proposal: StoredProposal,
  payload: JsonObject,
  read: CampaignRead,
  formats: Formats,
): Reread {
  const fields = updateFailures(payload, read.edit, formats);
  if (fields.length === 0) {
    return { kind: 'unchanged', before: [{ cid: cidOf(proposal), campaign: read.edit.campaign }] };
  }
  return { kind: 'impossible', failure: new AppError('validation_failed', { fields }) };
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
  const rebase: PreparedWrite['rebase'] = {
    of: proposal.id,
    round: (proposal.rebase?.round ?? 0) + 1,
    moved: changed.map((change) => changeInWords(change, context, formats)),
    volatile: [...volatile, ...changedTwice],
  };
  try {
    const payload = applied(mine, read.edit.campaign);
    return { kind: 'outdated', successor: draftUpdate(cidOf(proposal), { read, payload, rebase }, formats) };
  } catch (failure) {
    if (failure instanceof AppError) return { kind: 'impossible', failure };
    throw failure;
  }
}

/** Applies the same change to another state of the campaign. */
function applied(mine: readonly FieldEffect[], campaign: JsonObject): JsonObject {
  const ownChanges = mine.flatMap(({ field, after }): [string, JsonValue][] =>
    after === undefined ? [] : [[field, after]],
  );
  return { ...campaign, ...Object.fromEntries(ownChanges) };
}

function inWords(
  overlap: readonly FieldEffect[],
  mine: readonly FieldEffect[],
  { context }: UpdateParts,
  formats: Formats,
): StoredProposal['conflict'] {
  return overlap.map(({ field, before, after }) => {
    const own = mine.find((change) => change.field === field);
    const { before: base, after: theirs } = valuesInWords(field, { before, after }, context, formats);
    const wanted = valuesInWords(field, { before, after: own?.after }, context, formats).after;
    return { field, label: fieldLabel(field), base, mine: wanted, theirs };
  });
}

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

/** The full update of one campaign (contract §4.1, PUT /login/campaigns/{cid}). */
export function createUpdateOperation(clientOf: ClientOf, formats: () => Formats): Operation {
  return {
    reread: (proposal) => rereadUpdate(clientOf(proposal), proposal, formats()),
    async send(proposal) {
      await clientOf(proposal).update(cidOf(proposal), proposal.payload);
      return null;
    },
    readBack: (proposal) => readBackUpdate(clientOf(proposal), proposal, formats()),
  };
}
