import type { Clock } from '#core/platform/clock.ts';

/** Writes that wait for the end of a pause that the service asked for. */
export interface Pauses {
  /** Resolves when so much time has passed, or as soon as a look finds that the write is not wanted any more. */
  pass(ms: number, isWanted: () => boolean): Promise<void>;
  /** Something happened that may end a wait: the program ends, or agents are frozen. */
  look(): void;
}

export function createPauses(clock: Clock): Pauses {
  const waits = new Set<{ isWanted(): boolean; end(): void }>();
  return {
    async pass(ms, isWanted) {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const cancel = clock.after(ms, end);
      const wait = { isWanted, end };
      waits.add(wait);
      if (!isWanted()) end();
      await promise;
      waits.delete(wait);
      cancel();
    },
    look() {
      for (const { isWanted, end } of waits) if (!isWanted()) end();
    },
  };
}
