import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { has } from './abilities.ts';

/** Expects the mode of a file or folder where the system has modes, and that it exists elsewhere. */
export function expectMode(path: string, mode: 0o600 | 0o700 | 0o755): void {
  const found = statSync(path).mode & 0o777;
  if (has.modes) expect(found.toString(8)).toBe(mode.toString(8));
}
