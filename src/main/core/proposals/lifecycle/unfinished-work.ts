import { AppError } from '#shared/errors/index.ts';

/** Tracks unfinished work, so that a shutdown can wait for it. */
export interface UnfinishedWork {
  /** Runs the work and passes its result on. Fails with `shutting_down` once the end has begun. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Fails with `shutting_down` once the end has begun. */
  assertTaking(): void;
  /** True once the end has begun: what can still be left out should be. */
  isEnding(): boolean;
  /** Takes no more work, and resolves when all that is under way has ended, in whatever way. */
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
