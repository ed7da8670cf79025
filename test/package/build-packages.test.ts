import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('failing-program.ts', import.meta.url));
const exitCodeOf = (...args: string[]): number | null =>
  spawnSync(process.execPath, [program, ...args], { stdio: 'ignore' }).status;

test('a failure after a package was built ends the program with its own code', () => {
  expect(exitCodeOf()).toBe(3);
});

test('without that, electron-builder turns every later failure into a success', () => {
  expect(exitCodeOf('plain')).toBe(0);
});
