import type { StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';

/** States after which somebody still works on the proposal, or may. */
const moving: ReadonlySet<ProposalState> = new Set(['proposed', 'shown', 'approved', 'intent', 'sent']);

/** Tells who waits for a proposal to rest; nobody polls. */
export interface RestWatch {
  /** A proposal has moved, and that is on the disk. */
  hear(id: string): void;
  /** Resolves with the proposal at rest, or as it stands when the signal fires. Fails as `load` does. */
  rest(id: string, signal: AbortSignal): Promise<StoredProposal>;
}

export function createRestWatch(load: (id: string) => StoredProposal): RestWatch {
  const waiting = new Map<string, Set<() => void>>();

  function wait(id: string, look: () => void): () => void {
    const looks = waiting.get(id) ?? new Set();
    waiting.set(id, looks.add(look));
    return () => {
      looks.delete(look);
      if (looks.size === 0) waiting.delete(id);
    };
  }

  return {
    hear(id) {
      for (const look of waiting.get(id) ?? []) look();
    },
    async rest(id, signal) {
      const proposal = load(id);
      if (!moving.has(proposal.state) || signal.aborted) return proposal;
      const { promise, resolve } = Promise.withResolvers<void>();
      const leave = wait(id, () => {
        if (!moving.has(load(id).state)) resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      leave();
      return load(id);
    },
  };
}
