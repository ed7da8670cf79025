import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/**
 * Shows the proposals of agents to the user unasked, one at a time: the next one follows when the one before is
 * decided or over, so that a flood opens one confirmation and not many. The user's own proposals are reviewed on
 * request, and an outdated change is shown again where it was decided.
 */
export function createAnnouncing({
  proposals,
  isShown,
  announce,
}: {
  proposals: Pick<AppStore['proposals'], 'findListed' | 'undecided' | 'openBatchOf'>;
  isShown(id: string): boolean;
  /** Shows it; false if it cannot be shown now. */
  announce(id: string): boolean;
}) {
  // What waited before the start is not new: it stays in the list.
  let passed = new Set(proposals.undecided().map(({ id }) => id));
  let currentId: string | null = null;
  let due: NodeJS.Immediate | null = null;
  let isOver = false;

  const waits = (id: string): boolean => {
    const proposal = proposals.findListed(id);
    return proposal !== null && isUndecided(proposal.state);
  };

  function bringNext(): void {
    due = null;
    if (currentId !== null && waits(currentId)) return;
    currentId = null;
    const waiting = proposals.undecided();
    passed = new Set(waiting.flatMap(({ id }) => (passed.has(id) ? [id] : [])));
    for (const { id } of newcomers(waiting, passed)) {
      // The batch that lists it asks for all of them.
      if (proposals.openBatchOf(id) !== null) continue;
      passed.add(id);
      if (!isShown(id) && !announce(id)) continue;
      currentId = id;
      return;
    }
  }

  return {
    look(): void {
      // A burst of changes is one look, and never within the transaction of one of them.
      if (!isOver) due ??= setImmediate(bringNext);
    },
    /** The person put the confirmation away: what waits now stays in the list until it is asked for. */
    putAway(): void {
      currentId = null;
      for (const { id } of proposals.undecided()) passed.add(id);
    },
    dispose(): void {
      // Work in progress still ends, and changes proposals.
      isOver = true;
      if (due !== null) clearImmediate(due);
    },
  };
}

function newcomers(
  waiting: readonly ListedProposal[],
  passed: ReadonlySet<string>,
): readonly ListedProposal[] {
  return waiting.filter(
    ({ id, proposedBy, rebase }) => proposedBy.kind !== 'person' && rebase === null && !passed.has(id),
  );
}
