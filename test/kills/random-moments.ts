import { randomUUID } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '#shared/lib/random.ts';

/** The environment variable that gives the seed of an earlier run. */
const seedVariable = 'COUNTERSIGN_KILL_SEED';

const seed = process.env[seedVariable] ?? randomUUID();

const random = createRandom(seed);

/** Decides the random moments of this file. A failure prints the seed, with which the file has the same moments again. */
export function randomMoments(): Random {
  onTestFailed(() => console.error(`${seedVariable}=${seed}`));
  return random;
}
