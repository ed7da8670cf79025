import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { has } from './abilities.ts';

/** Expects this mode of a file or folder if the system has modes; otherwise only that it exists. */
export function expectMode(path: string, mode: 0o600 | 0o700 | 0o755): void {
  const found = statSync(path).mode & 0o777;
  if (has.modes) expect(found.toString(8)).toBe(mode.toString(8));
}
