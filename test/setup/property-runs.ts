import fc from 'fast-check';
import { isSoak } from '../../scripts/lib/test-settings.ts';

const everydayRuns = 50;

/** Returns the runs of a property: `inSoak` under `npm run soak`, otherwise at most {@link everydayRuns}. */
export function runs(inSoak: number): { numRuns: number } {
  return { numRuns: isSoak ? inSoak : Math.min(inSoak, everydayRuns) };
}

// 100 is fast-check's own default.
fc.configureGlobal(runs(100));
