import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('failing-program.ts', import.meta.url));
const exitCodeOf = (...args: string[]): number | null =>
  spawnSync(process.execPath, [program, ...args], { stdio: 'ignore' }).status;

test('a failure after a package was built ends the build with its own exit code', () => {
  expect(exitCodeOf()).toBe(3);
});

test('without our handling, electron-builder reports every later failure as a success', () => {
  expect(exitCodeOf('plain')).toBe(0);
});
