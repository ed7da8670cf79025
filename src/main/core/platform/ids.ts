import { randomBytes } from 'node:crypto';

export interface Ids {
  /** A unique id that sorts by time; for rows. */
  id(): string;
  /** 256 random bits, base64url: for nonces, tickets and secrets. */
  secret(): string;
}

/** A text for comparing with ids: ids made before `ms` sort before it, later ids do not. `ms` is in milliseconds since 1970 UTC. */
export function earliestIdAt(ms: number): string {
  return Math.max(0, ms).toString(36).padStart(9, '0');
}

export function createIds(nowMs: () => number): Ids {
  let lastMs = 0;
  let count = 0;
  function next(): string {
    const ms = Math.max(nowMs(), lastMs);
    count = ms === lastMs ? count + 1 : 0;
    // After 65,536 ids in one millisecond, uses the next millisecond early.
    lastMs = count > 0xff_ff ? ms + 1 : ms;
    if (lastMs !== ms) count = 0;
    return earliestIdAt(lastMs) + count.toString(16).padStart(4, '0');
  }
  return {
    id: () => next() + randomBytes(7).toString('hex'),
    secret: () => randomBytes(32).toString('base64url'),
  };
}
