import type { StoredProposal } from '#core/store/app/index.ts';
import type { OperationName } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { own } from '#shared/lib/json/json-value.ts';
import type { Effect, Wording } from './operation.ts';
import { statusParts, leftOutCids, statusEffects } from './status-change/stored-parts.ts';
import { knownChange, toolCallParts } from './tool-call/stored-parts.ts';
import { updateParts, updateEffects } from './update/stored-parts.ts';

// The members of a batch are proposals of their own.
const none = (): Effect[] => [];

const effects: Readonly<Record<OperationName, (proposal: StoredProposal) => Effect[]>> = {
  'campaign.update': updateEffects,
  'campaign.status': statusEffects,
  'tool.call': toolCallEffects,
  'agent.admit': none,
  batch: none,
};

/** The raw changes that a write made, as far as they were read back. Fails with `proposal_unreadable`. */
export function writtenEffects(proposal: StoredProposal): Effect[] {
  return effects[proposal.operation](proposal);
}

/** Like `writtenEffects`, but null if the details were removed or cannot be read. */
export function knownEffects(proposal: StoredProposal): Effect[] | null {
  if (proposal.prunedAtMs !== null) return null;
  try {
    return writtenEffects(proposal);
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'proposal_unreadable') return null;
    throw failure;
  }
}

/** Effects of a call whose change is known and was read back; none of any other. */
function toolCallEffects(proposal: StoredProposal): Effect[] {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  if (known === null) return [];
  const change = { ...proposal, ...known };
  return parts.subject.kind === 'update' ? updateEffects(change) : statusEffects(change);
}

/** A change of one campaign's status. A side that no read told is null. */
export interface StatusMove {
  cid: number;
  /** Foreign text; null where the write does not say it. */
  name: string | null;
  before: number | null;
  after: number | null;
}

/** The changes of status that a write asks for; of a call whose effect is not known, any of the campaigns that it names. */
export function askedStatusMoves(
  write: Pick<Wording, 'payload' | 'base'> & Pick<StoredProposal, 'operation' | 'targets'>,
): StatusMove[] {
  switch (write.operation) {
    case 'campaign.update':
      return updateMove(write);
    case 'campaign.status':
      return statusMoves(write);
    case 'tool.call':
      return callMoves(write);
    default:
      return [];
  }
}

/**
 * The changes of status that a write made. Where it may have changed a status and no read told, `after` is null; what its intent left
 * out is not among them.
 */
export function writtenStatusMoves(proposal: StoredProposal): StatusMove[] {
  const left = leftOutCids(proposal);
  const stored = new Map(writtenEffects(proposal).map((effect) => [effect.cid, statusOf(effect.after)]));
  return askedStatusMoves(proposal)
    .filter(({ cid }) => !left.has(cid))
    .map((move) => ({ ...move, after: stored.get(move.cid) ?? null }));
}

type Texts = Pick<Wording, 'payload' | 'base'>;

function updateMove(write: Texts): StatusMove[] {
  const { before, after } = updateParts(write);
  const { cid, name } = before;
  const move = { cid: Number(cid), before: statusOf(before), after: statusOf(after) };
  return move.before === move.after ? [] : [{ ...move, name: typeof name === 'string' ? name : null }];
}

function statusMoves(write: Texts): StatusMove[] {
  const { targets, payload } = statusParts(write);
  return targets
    .filter(({ cid, row }) => payload.ids.includes(cid) && row.status !== payload.status)
    .map(({ cid, name, row }) => ({ cid, name, before: row.status, after: payload.status }));
}

function callMoves({ targets, ...write }: Texts & Pick<StoredProposal, 'targets'>): StatusMove[] {
  const parts = toolCallParts(write);
  const known = knownChange(parts);
  const uncertain = (cid: number): StatusMove => ({ cid, name: null, before: null, after: null });
  if (known === null) return targets.map(uncertain);
  const moves = parts.subject.kind === 'update' ? updateMove(known) : statusMoves(known);
  return [...moves, ...parts.others.map(uncertain)];
}

function statusOf(campaign: Effect['after']): number | null {
  const status = own(campaign, 'status');
  return typeof status === 'number' ? status : null;
}
