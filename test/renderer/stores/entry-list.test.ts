import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '#shared/app-api/index.ts';
import { hasOlder, withNewest, withOlder } from '#renderer/stores/ledger/ledger-store.ts';

const rows = (...seqs: number[]): LedgerEntry[] => seqs.map((seq) => ({ seq }) as LedgerEntry);
const seqs = (list: { entries: readonly LedgerEntry[] }): number[] => list.entries.map(({ seq }) => seq);

describe('the rows of the ledger', () => {
  const first = withNewest(null, { items: rows(9, 8, 7), total: 9 });

  test('join what is new to what was read', () => {
    expect(seqs(withNewest(first, { items: rows(11, 10, 9), total: 11 }))).toEqual([11, 10, 9, 8, 7]);
  });

  test('never hide a gap: rows that do not meet the new page are read again', () => {
    const after = withNewest(first, { items: rows(30, 29, 28), total: 30 });
    expect(seqs(after)).toEqual([30, 29, 28]);
    expect(hasOlder(after)).toBe(true);
  });

  test('grow downwards to the first row', () => {
    const more = withOlder(first, { items: rows(7, 6, 5, 4, 3, 2, 1), total: 9 });
    expect(seqs(more)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(hasOlder(more)).toBe(false);
  });
});
