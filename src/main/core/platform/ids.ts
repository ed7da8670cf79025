import { randomBytes } from 'node:crypto';

/** Makes identifiers and secrets. Tests pass their own. */
export interface Ids {
  /** Sortable by time, unique: for rows. */
  id(): string;
  /** 256 random bits, base64url: for nonces, tickets and secrets. */
  secret(): string;
}

/** Ids from the system's randomness. */
export function createIds(nowMs: () => number): Ids {
  return {
    id: () => nowMs().toString(36).padStart(9, '0') + randomBytes(9).toString('hex'),
    secret: () => randomBytes(32).toString('base64url'),
  };
}
