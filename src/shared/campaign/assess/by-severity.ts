import type { Warning } from '../types.ts';

const weights = { danger: 0, warning: 1, notice: 2 } as const;

/** For sorting: dangers first, and within one severity the order that there is. */
export function bySeverity(a: Warning, b: Warning): number {
  return weights[a.severity] - weights[b.severity];
}
