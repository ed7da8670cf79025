import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isOpen } from '#shared/proposals/states.ts';

export interface UnfinishedWork {
  /** Fails with `shutting_down` once the end has begun. */
  run<T>(work: () => Promise<T>): Promise<T>;
  assertTaking(): void;
  isEnding(): boolean;
  /** Takes no more work, and resolves when all running work has ended. */
  end(): Promise<void>;
}

export function createUnfinishedWork(): UnfinishedWork {
  const works = new Set<Promise<unknown>>();
  let ending = false;

  function assertTaking(): void {
    if (ending) throw new AppError('shutting_down');
  }

  return {
    async run(work) {
      assertTaking();
      const running = work();
      works.add(running);
      return running.finally(() => works.delete(running));
    },
    assertTaking,
    isEnding: () => ending,
    async end() {
      ending = true;
      await Promise.allSettled(works);
    },
  };
}

export interface SettledWaiter {
  changed(id: string): void;
  /** Resolves with the settled proposal, or with its current state when the signal fires. Fails as `load` does. */
  untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal>;
}

export function createSettledWaiter(load: (id: string) => StoredProposal): SettledWaiter {
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
    changed(id) {
      for (const look of waiting.get(id) ?? []) look();
    },
    async untilSettled(id, signal) {
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
