import { silentLogger } from '#core/platform/logger.ts';
import { systemClock } from '#core/platform/clock.ts';
import { openTrainingStore } from '#core/store/training/index.ts';
import type { AttemptView } from '#shared/app-api/index.ts';

/** Returns a finished attempt of the trainee with this name. */
export function attemptOf(name: string, id: string, parts: Partial<AttemptView> = {}): AttemptView {
  return {
    id,
    name,
    mission: 'bids',
    seed: 7,
    beganAtMs: 1_794_999_000_000,
    endedAtMs: 1_794_999_500_000,
    score: { points: 50, caught: 1, missed: 1, falseAlarms: 0, fine: 5, undecided: 0, medianMs: 8_250 },
    faults: [
      { kind: 'bid', isCaught: true },
      { kind: 'bid', isCaught: false },
    ],
    ...parts,
  };
}

/**
 * Writes attempts into the folder of a training core that is not running. The first attempt's name becomes the current
 * trainee.
 */
export async function writeAttempts(folder: string, attempts: readonly AttemptView[]): Promise<void> {
  const store = openTrainingStore({ folder, clock: systemClock, logger: silentLogger });
  for (const attempt of attempts) store.attempts.add({ attempt, items: [] });
  const [first] = attempts;
  if (first !== undefined) store.trainees.choose(first.name);
  await store.dispose();
}
