import type { Connections } from '#core/connections/index.ts';
import { oncePerKey } from '#core/platform/work-queues.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import type { CampaignChange, LastChangeView, ProposalState, UndoView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isExecuted, isUndecided } from '#shared/proposals/states.ts';
import type { UndoRequest } from '../operations/batch/prepare.ts';
import { type Skipped, membersOf, loadProposal } from '../operations/stored-proposals.ts';
import { writtenEffects } from '../operations/written-effects.ts';
import { knownChange, toolCallParts } from '../operations/tool-call/known-change.ts';
import { netChangesOf, nothingToReverse, reversalsOf, writesOf } from './reversal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';

interface UndoOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  proposeUndo(request: UndoRequest): Promise<StoredProposal>;
  formats(): Formats;
}

/**
 * Proposes to restore the values from before a verified change or batch, except values that
 * changed since. Returns the undo that already waits, if any. Fails with `undo_impossible`,
 * `nothing_to_reverse` or `profile_unknown`, or as the reads and the proposal do.
 */
type Undo = (id: string) => Promise<StoredProposal>;

export function createUndo({ store, connections, proposeUndo, formats }: UndoOptions): Undo {
  const once = oncePerKey<StoredProposal>();

  async function propose(original: StoredProposal): Promise<StoredProposal> {
    const connection = connections.of(original.profile.id);
    const { writes, skipped: unknown } = writesBehind(store, original);
    // Each write counts like an agent's, whoever proposed it.
    const campaigns = netChangesOf(
      writes.map((write) => ({
        author: { kind: 'agent', name: write.proposedBy.name },
        effects: writtenEffects(write),
      })),
    );
    if (campaigns.length === 0 && unknown.length === 0) impossible(unknownEffect);
    const reversals = await reversalsOf(
      { store, connection, left: ownWords('this change left') },
      campaigns,
      formats(),
    );
    const skipped = [...reversals.flatMap((reversal) => reversal.skipped), ...unknown];
    const { updates, statuses } = writesOf(reversals);
    if (updates.length + statuses.length === 0) throw nothingToReverse(skipped, 'undo');
    return proposeUndo({
      connection,
      equally: sentence`Undo “${ownWords(original.headline.title)}”`,
      updates,
      statuses,
      skipped,
      undoes: { id: original.id, skipped },
    });
  }

  return async (id) => {
    const original = loadProposal(store, id);
    assertUndoable(original);
    const waiting = store.proposals.undosOf(id).find(({ state }) => isUndecided(state));
    if (waiting !== undefined) return loadProposal(store, waiting.id);
    return once(id, () => propose(original));
  };
}

export function undoViewOf(store: Pick<AppStore, 'proposals'>, proposal: StoredProposal): UndoView | null {
  const by = undoneBy(store, proposal.id);
  const undoes = proposal.undoes?.id ?? null;
  // A batch may have skipped some of the change, which may be undone again.
  const canUndo = isUndoable(proposal) && by?.state !== 'verified';
  if (undoes === null && by === null && !canUndo) return null;
  return { undoes, undoneBy: by === null ? null : { id: by.id, state: by.state }, canUndo };
}

export function changesOf(
  store: Pick<AppStore, 'proposals'>,
  campaign: { profileId: string; cid: number },
): CampaignChange[] {
  return store.proposals
    .lastWritesTo(campaign)
    .map((write) => ({ ...writeView(write), undo: undoViewOf(store, write) }));
}

export function lastChangesOf(
  store: Pick<AppStore, 'proposals'>,
  campaigns: { profileId: string; cids: readonly number[] },
): LastChangeView[] {
  return store.proposals.newestWritesTo(campaigns).map(({ cid, write }) => ({ cid, ...writeView(write) }));
}

function writeView({ id, headline: { title }, state, proposedBy, intentAtMs, updatedAtMs }: ListedProposal) {
  const { kind, name } = proposedBy;
  return { id, title, state, by: { kind, name }, atMs: intentAtMs ?? updatedAtMs };
}

function undoneBy({ proposals }: Pick<AppStore, 'proposals'>, id: string): ListedProposal | null {
  const stands = (undo: ListedProposal): boolean =>
    !ended.has(undo.state) &&
    !proposals.undosOf(undo.id).some((next) => isExecuted(next.state) && stands(next));
  return proposals.undosOf(id).find(stands) ?? null;
}

const ended: ReadonlySet<ProposalState> = new Set(['denied', 'expired', 'withdrawn', 'stale', 'refused']);

function isUndoable(proposal: StoredProposal): boolean {
  const { state, operation, prunedAtMs } = proposal;
  if (!isExecuted(state) || operation === 'agent.admit' || prunedAtMs !== null) return false;
  return operation !== 'tool.call' || knownChange(toolCallParts(proposal)) !== null;
}

function assertUndoable(proposal: StoredProposal): void {
  if (isUndoable(proposal)) return;
  const { state, operation, prunedAtMs } = proposal;
  if (prunedAtMs !== null) impossible(detailsRemoved);
  if (operation === 'agent.admit') impossible(sentence`An agent was admitted. End it on the Agents page.`);
  if (!isExecuted(state))
    impossible(sentence`This change was not verified, so there is nothing to take back.`);
  impossible(unknownEffect);
}

function impossible(message: Sentence): never {
  throw new AppError('undo_impossible', { message });
}

const unknownEffect = sentence`It is not known which values this change replaced.`;
const detailsRemoved = sentence`The details were removed when their retention period ended.`;

function writesBehind(
  store: AppStore,
  original: StoredProposal,
): { writes: StoredProposal[]; skipped: Skipped[] } {
  if (original.operation !== 'batch') return { writes: [original], skipped: [] };
  const members = membersOf(store, original);
  const skipped = members.flatMap((member) => {
    const because = leftBecause(member);
    return because === null ? [] : [{ what: sentence`“${ownWords(member.headline.title)}”`, because }];
  });
  return { writes: members.filter(isUndoable), skipped };
}

function leftBecause(member: StoredProposal): Sentence | null {
  if (member.state === 'unknown') return sentence`Its outcome is unknown.`;
  if (!isExecuted(member.state) || isUndoable(member)) return null;
  return member.prunedAtMs === null ? unknownEffect : detailsRemoved;
}
