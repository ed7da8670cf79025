import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isOpen } from '#shared/proposals/states.ts';

export function createUnfinishedWork() {
  const works = new Set<Promise<unknown>>();
  let ending = false;

  function assertTaking(): void {
    if (ending) throw new AppError('shutting_down');
  }

  return {
    /** Fails with `shutting_down` after the end of the core has begun. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      assertTaking();
      const running = work();
      works.add(running);
      return running.finally(() => works.delete(running));
    },
    assertTaking,
    isEnding: (): boolean => ending,
    async end(): Promise<void> {
      ending = true;
      await Promise.allSettled(works);
    },
  };
}

export type SettledWaiter = ReturnType<typeof createSettledWaiter>;

export function createSettledWaiter(load: (id: string) => StoredProposal) {
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
    changed(id: string): void {
      for (const look of waiting.get(id) ?? []) look();
    },
    /** Resolves with the settled proposal, or with its current state when the signal fires. Fails as `load` does. */
    async untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal> {
      const proposal = load(id);
      if (!isOpen(proposal.state) || signal.aborted) return proposal;
      const { promise, resolve } = Promise.withResolvers<void>();
      const unsubscribe = wait(id, () => {
        if (!isOpen(load(id).state)) resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      unsubscribe();
      return load(id);
    },
  };
}
