import { randomBytes } from 'node:crypto';

export interface Ids {
  /** Sortable by time, unique: for rows. */
  id(): string;
  /** 256 random bits, base64url: for nonces, tickets and secrets. */
  secret(): string;
}

/** The text before which no id of this moment sorts, in milliseconds since 1970 UTC, and every earlier one does. */
export function earliestIdAt(ms: number): string {
  return Math.max(0, ms).toString(36).padStart(9, '0');
}

export function createIds(nowMs: () => number): Ids {
  let lastMs = 0;
  let count = 0;
  function next(): string {
    const ms = Math.max(nowMs(), lastMs);
    count = ms === lastMs ? count + 1 : 0;
    // After 65,536 ids in one millisecond the next one is borrowed.
    lastMs = count > 0xff_ff ? ms + 1 : ms;
    if (lastMs !== ms) count = 0;
    return earliestIdAt(lastMs) + count.toString(16).padStart(4, '0');
  }
  return {
    id: () => next() + randomBytes(7).toString('hex'),
    secret: () => randomBytes(32).toString('base64url'),
  };
}
