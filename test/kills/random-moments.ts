import { randomUUID } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '#shared/lib/random.ts';

/** The environment variable with the seed of an earlier run. */
const seedVariable = 'COUNTERSIGN_KILL_SEED';

const seed = process.env[seedVariable] ?? randomUUID();

const random = createRandom(seed);

/**
 * Returns the generator of the random moments of a test file. A failure prints the seed, with which another run has the same
 * moments.
 */
export function randomMoments(): Random {
  onTestFailed(() => console.error(`${seedVariable}=${seed}`));
  return random;
}
