import { expect, test } from 'vitest';
import type { CampaignPage } from '#shared/app-api/index.ts';
import {
  indexOfCampaign,
  loadedRows,
  markStale,
  neededPages,
  oldestReadMs,
  type PagedList,
  pageSize,
  rowAt,
  startList,
  withPage,
} from '#renderer/stores/campaigns/paged-list.ts';
import { campaignRow } from '../../support/campaign-row.ts';

function page(number: number, total: number, readAtMs = number): CampaignPage {
  const first = (number - 1) * pageSize;
  const size = Math.min(pageSize, total - first);
  return {
    rows: Array.from({ length: size }, (_, index) => campaignRow(first + index + 1)),
    total,
    page: number,
    readAtMs,
    cached: null,
  };
}

test('only the pages of the rows in view are read', () => {
  const list = startList(page(1, 100_000));
  expect(neededPages(list, 0, 40)).toEqual([]);
  expect(neededPages(list, 180, 230)).toEqual([2]);
  expect(neededPages(list, 50_150, 50_250)).toEqual([251, 252]);
});

test('no page after the last page is read', () => {
  const list = startList(page(1, 250));
  expect(neededPages(list, 0, 900)).toEqual([2]);
  expect(neededPages(startList(page(1, 0)), 0, 0)).toEqual([]);
});

test('a row is found at its position, and a position that was not read is empty', () => {
  const list = withPage(startList(page(1, 1000)), page(3, 1000));
  expect(rowAt(list, 0)?.cid).toBe(1);
  expect(rowAt(list, 400)?.cid).toBe(401);
  expect(rowAt(list, 200)).toBeUndefined();
  expect(indexOfCampaign(list, 401)).toBe(400);
  expect(indexOfCampaign(list, 201)).toBeNull();
});

test('loaded rows follow the order of the list, in whatever order they were read', () => {
  const list = withPage(startList(page(3, 1000)), page(1, 1000));
  expect(loadedRows(list).map((row) => row.cid)[pageSize]).toBe(401);
});

test('stale pages stay on screen and are read again when they come into view', () => {
  const list = markStale(startList(page(1, 300)));
  expect(rowAt(list, 5)?.cid).toBe(6);
  expect(neededPages(list, 0, 40)).toEqual([1]);
});

test('a changed total makes every other page stale', () => {
  const list = withPage(startList(page(1, 1000)), page(2, 999));
  expect(list.total).toBe(999);
  expect(neededPages(list, 0, 300)).toEqual([1]);
});

test.each([
  ['pages beyond it', 350, [1, 2, 3], 350],
  ['rows beyond it on a page that was read before', 150, [2, 1], 150],
  ['every row of an empty list', 0, [2, 1], 0],
])('a smaller total removes: %s', (_, total, numbers, left) => {
  const [last = 1] = numbers.slice(-1);
  const earlier = numbers
    .slice(0, -1)
    .reduce<PagedList>((list, number) => withPage(list, page(number, 450)), {
      total: 0,
      pages: new Map(),
    });
  const read = { ...page(last, total), rows: page(last, 450).rows.slice(0, Math.max(0, total)) };
  const list = withPage(earlier, read);
  expect(loadedRows(list).length).toBeLessThanOrEqual(left);
  expect(loadedRows(list).every(({ cid }) => cid <= total)).toBe(true);
  expect(rowAt(list, total)).toBeUndefined();
  expect(oldestReadMs(list)).not.toBeNull();
});

test('the age of the list is the age of its oldest page', () => {
  expect(oldestReadMs(withPage(startList(page(1, 1000, 50)), page(2, 1000, 20)))).toBe(20);
});
