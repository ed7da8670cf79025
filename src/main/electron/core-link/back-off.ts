/** How long the core rests after the first crash in a row, the second, and so on, in milliseconds. */
const restsMs = [300, 1_000, 3_000, 10_000] as const;

/** A core that was ready for so long has recovered: the next crash is a first one again. */
export const recoveredAfterMs = 60_000;

/** How long a core may take from `start` to `ready`. */
export const startLimitMs = 30_000;

/** How long a core that could not start may take to end by itself. */
export const endLimitMs = 5_000;

/** How long a core may take to finish its write and end. */
export const quitLimitMs = 20_000;

/** The rest after so many crashes in a row (1 is the first), in milliseconds; null when they were enough and only a person can go on. */
export function restAfter(crashes: number): number | null {
  return restsMs[crashes - 1] ?? null;
}
