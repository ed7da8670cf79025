import { statSync } from 'node:fs';
import { expect } from 'vitest';

/** False on Windows: what protects a file there is a list of accounts, which Node does not show. */
export const hasModes = process.platform !== 'win32';

/** Expects that only the owner can use a file or folder: `0o600` or `0o700` where the system has modes, and that it exists elsewhere. */
export function expectMode(path: string, mode: 0o600 | 0o700): void {
  const found = statSync(path).mode & 0o777;
  if (hasModes) expect(found.toString(8)).toBe(mode.toString(8));
}
