import type { DoctorStep } from '#shared/app-api/index.ts';

const endings = ['ok', 'notice', 'failed', 'skipped'] as const;

/** How a step ended. */
export type StepEnding = (typeof endings)[number];

/** What stands before a step in plain text, each as wide as the others. */
export const stepSigns: Readonly<Record<DoctorStep['state'], string>> = {
  ok: '✓ ok     ',
  notice: '! notice ',
  failed: '✗ failed ',
  skipped: '– skipped',
  running: '  running',
  waiting: '  waiting',
};

export function hasEnded(state: DoctorStep['state']): state is StepEnding {
  return endings.some((ending) => ending === state);
}

/** For example `9 ok, 1 failed, 1 skipped`. */
export function countedSteps(steps: readonly DoctorStep[]): string {
  return endings
    .map((ending) => ({ ending, count: steps.filter(({ state }) => state === ending).length }))
    .filter(({ count }) => count > 0)
    .map(({ ending, count }) => `${count} ${ending}`)
    .join(', ');
}
