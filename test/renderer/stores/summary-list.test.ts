import { describe, expect, test } from 'vitest';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { emptyList, unreadCount, withHead, withTail } from '#renderer/stores/proposals/proposals-store.ts';

const item = (number: number): ProposalSummary =>
  ({ id: `p${number}`, createdAtMs: number * 1000 }) as ProposalSummary;
const items = (...numbers: number[]): ProposalSummary[] => numbers.map(item);
const ids = (list: { items: readonly ProposalSummary[] }): string[] => list.items.map(({ id }) => id);

describe('the list of proposals', () => {
  test('grows at its end without listing anything twice', () => {
    const first = withHead(emptyList, { items: items(9, 8, 7), total: 5 });
    const second = withTail(first, { items: items(7, 6, 5), total: 5 });
    expect(ids(second)).toEqual(['p9', 'p8', 'p7', 'p6', 'p5']);
    expect(unreadCount(second)).toBe(0);
  });

  test('keeps what was read further down when its head is read again', () => {
    const read = withTail(withHead(emptyList, { items: items(9, 8), total: 4 }), {
      items: items(7, 6),
      total: 4,
    });
    const again = withHead(read, { items: items(10, 9), total: 5 });
    expect(ids(again)).toEqual(['p10', 'p9', 'p8', 'p7', 'p6']);
  });

  test('drops what is no longer in it', () => {
    const read = withHead(emptyList, { items: items(9, 8, 7), total: 3 });
    expect(ids(withHead(read, { items: items(9, 7), total: 2 }))).toEqual(['p9', 'p7']);
    expect(ids(withHead(read, { items: [], total: 0 }))).toEqual([]);
  });

  test('says how many were not read', () => {
    expect(unreadCount(withHead(emptyList, { items: items(9, 8), total: 57 }))).toBe(55);
  });
});
