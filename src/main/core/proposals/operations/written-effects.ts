import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import {
  diffCampaigns,
  groupStatuses,
  isStopped,
  normaliseCampaign,
  runs,
  type StatusGroup,
  statusOriginOf,
} from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type JsonObject, type JsonValue, own } from '#shared/lib/json/json-value.ts';
import { isExecuted } from '#shared/proposals/states.ts';
import type { Effect } from './operation.ts';
import { skippedCids, statusParts } from './status-change/stored-parts.ts';
import { knownChange, toolCallParts } from './tool-call/known-change.ts';
import { cidOf, updateParts } from './update.ts';
import { rowChange } from '#shared/wording/index.ts';

export function writtenEffects(proposal: StoredProposal): Effect[] {
  switch (proposal.operation) {
    case 'campaign.update':
      return updateEffects(proposal);
    case 'campaign.status':
      return statusEffects(proposal);
    case 'tool.call':
      return toolCallEffects(proposal);
    default:
      return [];
  }
}

/** Null if the details were removed or cannot be read. */
export function knownEffects(proposal: StoredProposal): Effect[] | null {
  if (proposal.prunedAtMs !== null) return null;
  try {
    return writtenEffects(proposal);
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'proposal_unreadable') return null;
    throw failure;
  }
}

/** Includes only campaigns for which the read-back found the status stored. */
export function statusEffects(proposal: StoredProposal): Effect[] {
  const { moves, isOne } = statusMoves(proposal);
  const stored = new Set(
    proposal.verdicts.filter(({ verdict }) => verdict === 'stored').map(({ field }) => field),
  );
  return moves
    .filter((move) => stored.has(rowChange(move, isOne, 'status').field))
    .map(({ cid, name, before, after }) => {
      return { cid, name, before: { status: before }, after: { status: after }, context: null };
    });
}

function updateEffects(proposal: StoredProposal): Effect[] {
  const { before, after, context } = updateParts(proposal);
  const stored = storedFields(after, proposal.verdicts);
  const changes = diffCampaigns(before, { ...before, ...stored }).filter(({ field }) =>
    Object.hasOwn(stored, field),
  );
  if (changes.length === 0) return [];
  return [
    {
      cid: cidOf(proposal),
      name: nameOf(before) ?? '',
      before: objectOf(changes.map((change) => [change.field, change.before])),
      after: objectOf(changes.map((change) => [change.field, change.after])),
      context,
    },
  ];
}

/** The fields as the service stores them: a list whose flag empties it is empty. */
function storedFields(sent: JsonObject, verdicts: StoredProposal['verdicts']): JsonObject {
  const normalised = normaliseCampaign(sent);
  return objectOf(
    verdicts.flatMap(({ field, verdict }): [string, JsonValue | undefined][] => {
      if (verdict === 'stored') return [[field, sent[field]]];
      return verdict === 'normalised' ? [[field, normalised[field]]] : [];
    }),
  );
}

function objectOf(entries: readonly [string, JsonValue | undefined][]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function toolCallEffects(proposal: StoredProposal): Effect[] {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  if (known === null) return [];
  const change = { ...proposal, ...known };
  return parts.subject.kind === 'update' ? updateEffects(change) : statusEffects(change);
}

interface StatusTransition {
  cid: number;
  name: string | null;
  before: number | null;
  after: number | null;
}

/** The changes of status that a write requests. A call with an unknown effect may change any campaign that it names. */
export function askedStatusMoves({
  operation,
  targets,
  payload,
  base,
}: Pick<StoredProposal, 'operation' | 'targets' | 'payload' | 'base'>): StatusTransition[] {
  switch (operation) {
    case 'campaign.update':
      return updateMoves({ payload, base });
    case 'campaign.status':
      return statusMoves({ payload, base }).moves;
    case 'tool.call':
      return callMoves(targets, { payload, base });
    default:
      return [];
  }
}

/** `after` is null if the status may have changed and no read reported it. Skipped campaigns are omitted. */
export function writtenStatusMoves(proposal: StoredProposal): StatusTransition[] {
  const left = skippedCids(proposal);
  const stored = new Map(writtenEffects(proposal).map((effect) => [effect.cid, statusOf(effect.after)]));
  return askedStatusMoves(proposal)
    .filter(({ cid }) => !left.has(cid))
    .map((move) => ({ ...move, after: stored.get(move.cid) ?? null }));
}

type Texts = Pick<StoredProposal, 'payload' | 'base'>;

function updateMoves(write: Texts): StatusTransition[] {
  const { before, after } = updateParts(write);
  const [from, to] = [statusOf(before), statusOf(after)];
  return from === to ? [] : [{ cid: Number(before['cid']), name: nameOf(before), before: from, after: to }];
}

function statusMoves(write: Texts) {
  const { targets, payload } = statusParts(write);
  const moves = targets
    .filter(({ cid, row }) => payload.ids.includes(cid) && row.status !== payload.status)
    .map(({ cid, name, row }) => ({ cid, name, before: row.status, after: payload.status }));
  return { moves, isOne: targets.length === 1 };
}

function callMoves(targets: readonly number[], write: Texts): StatusTransition[] {
  const parts = toolCallParts(write);
  const known = knownChange(parts);
  const uncertain = (cid: number): StatusTransition => ({ cid, name: null, before: null, after: null });
  if (known === null) return targets.map(uncertain);
  const moves = parts.subject.kind === 'update' ? updateMoves(known) : statusMoves(known).moves;
  return [...moves, ...parts.others.map(uncertain)];
}

function statusOf(campaign: JsonObject): number | null {
  const status = own(campaign, 'status');
  return typeof status === 'number' ? status : null;
}

function nameOf({ name }: JsonObject): string | null {
  return typeof name === 'string' ? name : null;
}

type StatusMemory = Pick<AppStore, 'statusChanges'>;

/** Runs in the transaction of the move. Does nothing unless the write was executed. */
export function recordStatusMoves({ statusChanges }: StatusMemory, proposal: StoredProposal): void {
  if (!isExecuted(proposal.state)) return;
  const { id, profile, proposedBy, intentAtMs, updatedAtMs } = proposal;
  const isReturnOffered = pausesRunningOnly(proposal);
  for (const { cid, before, after } of writtenStatusMoves(proposal)) {
    statusChanges.put(profile.id, {
      cid,
      before,
      after,
      atMs: intentAtMs ?? updatedAtMs,
      by: { kind: proposedBy.kind, name: proposedBy.name },
      proposalId: id,
      isReturnOffered: isReturnOffered && before !== null && after !== null,
    });
  }
}

/** Runs in the transaction of the move. Plans the return of a timed pause once the pause was executed. */
export function planReturn({ pauseReturns }: Pick<AppStore, 'pauseReturns'>, proposal: StoredProposal): void {
  const { id: pauseId, operation, state, profile } = proposal;
  if (operation !== 'campaign.status' || !isExecuted(state)) return;
  const { returns } = statusParts(proposal);
  if (returns !== null) pauseReturns.put({ ...returns, pauseId, profileId: profile.id });
}

function pausesRunningOnly(proposal: StoredProposal): boolean {
  if (proposal.operation !== 'campaign.status') return false;
  const { targeted, payload } = statusParts(proposal);
  return targeted === 'running' && payload.status === 3;
}

/** Groups campaigns by status, and stopped campaigns also by how they were stopped, if this app recorded it. */
export function statusGroups(
  { statusChanges }: StatusMemory,
  profileId: string,
  campaigns: readonly { cid: number; status: number }[],
): StatusGroup[] {
  return groupStatuses(
    campaigns.map(({ cid, status }) => {
      if (!isStopped(status)) return { cid, status, origin: null };
      const change = statusChanges.find(profileId, cid);
      const hasUnknownSince = statusChanges.hasUnknownSince(profileId, cid, change?.atMs ?? 0);
      return { cid, status, origin: statusOriginOf(change, { statusNow: status, hasUnknownSince }) };
    }),
  );
}

export function stoppedCampaigns(
  store: StatusMemory,
  write: Pick<StoredProposal, 'operation' | 'targets' | 'payload' | 'base' | 'profile'>,
): StatusGroup[] {
  const stopped = askedStatusMoves(write).flatMap(({ cid, before, after }) =>
    isStopped(before) && runs(after) ? [{ cid, status: before }] : [],
  );
  return statusGroups(store, write.profile.id, stopped);
}
