/** Crashes further apart than this have nothing to do with one another, in milliseconds. */
const togetherMs = 60_000;

const pauseMs = 1_000;

export type AfterCrash = { kind: 'reload'; afterMs: number } | { kind: 'ask' };

/** What follows the last of these crashes of a page: once it is loaded again by itself, then a person is asked. Oldest first. */
export function afterCrash(crashesAtMs: readonly number[]): AfterCrash {
  const last = crashesAtMs.at(-1) ?? 0;
  const together = crashesAtMs.filter((atMs) => last - atMs < togetherMs).length;
  return together <= 1 ? { kind: 'reload', afterMs: pauseMs } : { kind: 'ask' };
}
