import { expect, test } from 'vitest';
import { nodeRefusal } from '#headless/node-version.ts';

test.each([
  ['18.19.0', true],
  ['20.20.2', true],
  ['22.13.9', true],
  ['22.14.0', false],
  ['24.21.0', false],
])('Node %s is refused: %s', (version, isRefused) => {
  expect(nodeRefusal(version) !== null).toBe(isRefused);
});

test('a refused Node is explained in one line with its remedy', () => {
  expect(nodeRefusal('20.20.2')).toMatch(/^Countersign needs Node 22\.14 .*npm start[^\n]*$/);
});
