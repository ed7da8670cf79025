import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import {
  changeInWords,
  diffCampaigns,
  fieldLabel,
  valueInWords,
  type FieldChange,
} from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { accountOf, assertSameAccount } from '../checks.ts';
import type { Draft, Reread } from '../operation.ts';
import { contextOf, mayBeVolatile, updateParts, type UpdateParts } from './base.ts';
import { draftUpdate, updateFailures } from './prepare.ts';

/**
 * Compares the campaign as it is now with the one that the person saw. What moved outside the request is taken over and
 * asked again; what moved inside it is a conflict; a volatile field is not compared. Changed types or settings are
 * validated against even when no field moved. Fails with `account_changed`, or as the read does.
 */
export async function rereadUpdate(client: CampaignReader, proposal: StoredProposal): Promise<Reread> {
  const read = await client.get(cidOf(proposal)).catch(goneOrThrow);
  if (read instanceof AppError) return { kind: 'impossible', failure: read };
  const parts = updateParts(proposal);
  const now = read.edit.campaign;
  assertSameAccount(proposal, accountOf(now['uid']));
  const volatile = proposal.rebase?.volatile ?? [];
  const moved = diffCampaigns(parts.before, now).filter(({ field }) => !volatile.includes(field));
  const mine = diffCampaigns(parts.before, parts.after);
  const overlap = moved.filter((change) => collides(change, mine));
  if (overlap.length > 0) return { kind: 'conflict', conflict: inWords(overlap, mine, parts) };
  return moved.length > 0
    ? rebased(proposal, { read, mine, moved, volatile })
    : stillValid(parts.after, read);
}

/** The campaign of a full update. */
export function cidOf({ id, targets: [cid] }: StoredProposal): number {
  if (cid === undefined) throw new Error(`Proposal ${id} has no campaign`);
  return cid;
}

/** A campaign that is gone has moved further than any other; every other failure says nothing about it. */
function goneOrThrow(failure: unknown): AppError {
  if (failure instanceof AppError && failure.code === 'campaign_not_found') return failure;
  throw failure;
}

/** Somebody gave the field another value than the person wants; the same value is no quarrel. */
function collides({ field, after }: FieldChange, mine: readonly FieldChange[]): boolean {
  return mine.some((wish) => wish.field === field && !jsonEqual(wish.after, after));
}

function stillValid(payload: JsonObject, read: CampaignRead): Reread {
  const fields = updateFailures(payload, read);
  if (fields.length === 0) return { kind: 'unmoved' };
  return { kind: 'impossible', failure: new AppError('validation_failed', { fields }) };
}

interface Movement {
  read: CampaignRead;
  mine: readonly FieldChange[];
  moved: readonly FieldChange[];
  volatile: readonly string[];
}

function rebased(proposal: StoredProposal, { read, mine, moved, volatile }: Movement): Reread {
  const context = contextOf(read.edit);
  const movedBefore = proposal.rebase?.moved.map(({ field }) => field) ?? [];
  const movedTwice = moved
    .map(({ field }) => field)
    .filter((field) => movedBefore.includes(field) && mayBeVolatile(field));
  const rebase: Draft['rebase'] = {
    of: proposal.id,
    round: (proposal.rebase?.round ?? 0) + 1,
    moved: moved.map((change) => changeInWords(change, context)),
    volatile: [...volatile, ...movedTwice],
  };
  try {
    const payload = applied(mine, read.edit.campaign);
    return { kind: 'moved', successor: draftUpdate(cidOf(proposal), { read, payload, rebase }) };
  } catch (failure) {
    if (failure instanceof AppError) return { kind: 'impossible', failure };
    throw failure;
  }
}

/** The same wish on another state of the campaign. */
function applied(mine: readonly FieldChange[], campaign: JsonObject): JsonObject {
  const ownChanges = mine.flatMap(({ field, after }): [string, JsonValue][] =>
    after === undefined ? [] : [[field, after]],
  );
  return { ...campaign, ...Object.fromEntries(ownChanges) };
}

function inWords(
  overlap: readonly FieldChange[],
  mine: readonly FieldChange[],
  { context }: UpdateParts,
): StoredProposal['conflict'] {
  return overlap.map(({ field, before, after }) => {
    const words = (value: JsonValue | undefined): string => valueInWords(field, value, context);
    const wish = mine.find((change) => change.field === field);
    return {
      field,
      label: fieldLabel(field),
      base: words(before),
      mine: words(wish?.after),
      theirs: words(after),
    };
  });
}
