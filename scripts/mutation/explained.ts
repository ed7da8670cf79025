import type { Fault } from './faults.ts';

/** A fault that no test can notice, with the reason. */
type ExplainedSurvivor = Pick<Fault, 'file' | 'kind' | 'original'> & { reason: string };

const explained: readonly ExplainedSurvivor[] = [];

/** Why no test can notice a fault; undefined if one should. */
export function explanationOf({ file, kind, original }: Fault): string | undefined {
  return explained.find((entry) => entry.file === file && entry.kind === kind && entry.original === original)
    ?.reason;
}
