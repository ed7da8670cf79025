import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/**
 * Shows proposals of agents and schedules, one at a time, so that a
 * flood opens one window. A user reviews own proposals on request.
 */
export function createAnnouncing({
  proposals,
  isShown,
  announce,
}: {
  proposals: Pick<AppStore['proposals'], 'findListed' | 'undecided' | 'openBatchOf'>;
  isShown(id: string): boolean;
  announce(id: string): boolean;
}) {
  // Proposals from before the start are not announced.
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
      if (proposals.openBatchOf(id) !== null) continue;
      passed.add(id);
      if (!isShown(id) && !announce(id)) continue;
      currentId = id;
      return;
    }
  }

  return {
    look(): void {
      // Checks once per burst of changes, and never inside a transaction.
      if (!isOver) due ??= setImmediate(bringNext);
    },
    putAway(): void {
      currentId = null;
      for (const { id } of proposals.undecided()) passed.add(id);
    },
    dispose(): void {
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
