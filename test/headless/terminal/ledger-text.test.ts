import { expect, test } from 'vitest';
import { anchorText } from '#headless/terminal/proposal-text.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';

const report: LedgerReport = {
  state: 'verified',
  rows: 9,
  head: 'a'.repeat(64),
  sealedAtMs: 1,
  checkedAtMs: 1,
  anchored: 9,
  anchorFailedSinceMs: null,
  keys: [],
  problem: null,
};

test.each<[string, Partial<LedgerReport>, string]>([
  ['behind', { anchored: 7 }, 'rows after 7 could be cut off unnoticed'],
  ['unreadable', { anchored: null }, 'the newest rows could be cut off unnoticed'],
  ['missing before the very first row', { anchored: null, rows: 0 }, 'the ledger cannot begin'],
])('the terminal explains an anchor that cannot be written: %s', (_, now, words) => {
  const text = anchorText({ ...report, anchorFailedSinceMs: 1, ...now });
  expect(text).toContain(words);
  expect(text).toContain('no change is recorded or sent');
});

test('the terminal does not mention an anchor that was written', () => {
  expect(anchorText(report)).toBeNull();
});
