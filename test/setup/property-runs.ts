import fc from 'fast-check';
import { isSoak } from '../../scripts/lib/test-settings.ts';

/** The most runs of a property outside `npm run soak`. */
const everydayRuns = 50;

/** Runs of a property: `inSoak` under `npm run soak`, at most {@link everydayRuns} otherwise. */
export function runs(inSoak: number): { numRuns: number } {
  return { numRuns: isSoak ? inSoak : Math.min(inSoak, everydayRuns) };
}

// 100 is fast-check's own default.
fc.configureGlobal(runs(100));
