import { expect, test } from 'vitest';
import type { CampaignPage } from '#shared/app-api/index.ts';
import {
  indexOfCampaign,
  loadedRows,
  markStale,
  neededPages,
  oldestReadMs,
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

test('only the pages that a stretch of rows needs are read', () => {
  const list = startList(page(1, 100_000));
  expect(neededPages(list, 0, 40)).toEqual([]);
  expect(neededPages(list, 180, 230)).toEqual([2]);
  expect(neededPages(list, 50_150, 50_250)).toEqual([251, 252]);
});

test('the last page is not overrun', () => {
  const list = startList(page(1, 250));
  expect(neededPages(list, 0, 900)).toEqual([2]);
  expect(neededPages(startList(page(1, 0)), 0, 0)).toEqual([]);
});

test('a row is at its place, and a place that was not read is empty', () => {
  const list = withPage(startList(page(1, 1000)), page(3, 1000));
  expect(rowAt(list, 0)?.cid).toBe(1);
  expect(rowAt(list, 400)?.cid).toBe(401);
  expect(rowAt(list, 200)).toBeUndefined();
  expect(indexOfCampaign(list, 401)).toBe(400);
  expect(indexOfCampaign(list, 201)).toBeNull();
});

test('loaded rows come in the order of the list, whatever order they were read in', () => {
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

test('the age is that of the oldest page', () => {
  expect(oldestReadMs(withPage(startList(page(1, 1000, 50)), page(2, 1000, 20)))).toBe(20);
});
