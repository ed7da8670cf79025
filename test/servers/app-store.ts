import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore, type StoredProposal } from '#core/store/app/index.ts';

/** Opens the repositories of a data folder beside the core that may have it: for a state that no handler makes or shows. */
export function withStore<T>(folder: string, work: (store: AppStore) => T): T {
  const store = openAppStore({ folder, clock, logger });
  try {
    return work(store);
  } finally {
    void store.dispose();
  }
}

/** Moves a proposal into a state, as a crash in the midst of the work would leave it. */
export function leaveProposal(
  folder: string,
  id: string,
  change: Pick<StoredProposal, 'state'> & Partial<StoredProposal>,
): void {
  withStore(folder, ({ proposals }) => {
    const found = proposals.find(id);
    if (found === null) throw new Error(`There is no proposal ${id}`);
    proposals.update({ ...found, ...change }, found.state);
  });
}
