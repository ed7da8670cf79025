import { expect, test } from 'vitest';
import { firstQuery, sortedBy, withLevels } from '#renderer/features/reports/stores/report-query.ts';
import { createReportsStore } from '#renderer/features/reports/stores/reports-store.ts';
import type { AppInput, ReportPage } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { page, row } from './support.ts';

const query = firstQuery({ kind: 'xml', tid: 7 });
const sources = { tids: [7], sids: [], publisherKey: true };

type PageInput = AppInput<'reports.page'>;

function start(answer: (input: PageInput) => ReportPage | Promise<ReportPage>) {
  const asked: PageInput[] = [];
  const bridge = fakeBridge({
    'reports.page': (input) => {
      asked.push(input);
      return answer(input);
    },
    'reports.sources': () => sources,
    'reports.cancel': () => null,
  });
  const store = createReportsStore(bridge);
  const stop = store.getState().start();
  return { bridge, store, stop, asked };
}

const thousand = ({ offset, limit }: PageInput): ReportPage =>
  page({
    rowCount: 1000,
    rows: Array.from({ length: limit }, (_, at) => row([`S${offset + at}`], ['1', '1', '1'])),
  });

test('a report first reads its missing days, and is read again without them after a change', async () => {
  const { bridge, store, stop, asked } = start(thousand);
  store.getState().show(query);
  expect(store.getState()).toMatchObject({ loading: true, head: null });
  await settled();
  expect(store.getState()).toMatchObject({ loading: false, answered: query });
  bridge.emit({ kind: 'reports.changed' });
  await settled();
  expect(asked.map(({ read }) => read)).toEqual(['missing', 'none']);
  store.getState().refresh();
  await settled();
  expect(asked.at(-1)?.read).toBe('all');
  stop();
});

test('a change that arrives before the first answer causes another read', async () => {
  let finish: (answer: ReportPage) => void = () => undefined;
  const first = new Promise<ReportPage>((resolve) => (finish = resolve));
  const { bridge, store, stop, asked } = start((input) =>
    input.read === 'missing' ? first : thousand(input),
  );
  store.getState().show(query);
  await settled();
  bridge.emit({ kind: 'reports.changed' });
  await settled();
  finish(page({ rowCount: 0, rows: [] }));
  await settled();
  expect(asked.map(({ read }) => read)).toEqual(['missing', 'none']);
  expect(store.getState().rows?.count).toBe(1000);
  stop();
});

test('scrolling reads the blocks in view and their neighbours, a screenful at a time, and only the rows change', async () => {
  const { store, stop, asked } = start(thousand);
  store.getState().show(query);
  await settled();
  const { head } = store.getState();
  store.getState().showRows(640, 670);
  await settled();
  expect(store.getState().head).toBe(head);
  expect(asked.map(({ offset, limit }) => [offset, limit])).toEqual([
    [0, 100],
    [500, 100],
    [600, 100],
    [700, 100],
  ]);
  stop();
});

test('the answer to an earlier request is ignored', async () => {
  const waiting: ((answer: ReportPage) => void)[] = [];
  const { store, stop } = start(() => new Promise((resolve) => waiting.push(resolve)));
  store.getState().show(query);
  store.getState().show(sortedBy(query, 'net_clicks'));
  waiting[1]?.(page({ rowCount: 1, rows: [row(['new'], [])] }));
  waiting[0]?.(page({ rowCount: 1, rows: [row(['old'], [])] }));
  await settled();
  expect(store.getState().rows?.blocks.get(0)?.rows[0]?.path).toEqual(['new']);
  stop();
});

test('rows of the same source stay until new rows arrive, and rows of another source are removed at once', async () => {
  const { store, stop } = start(thousand);
  store.getState().show(query);
  await settled();
  const daily = withLevels(query, ['date']);
  store.getState().show(daily);
  expect(store.getState()).toMatchObject({ loading: true, answered: query });
  expect(store.getState().rows).not.toBeNull();
  store.getState().show(firstQuery({ kind: 'xml', tid: 8 }));
  expect(store.getState()).toMatchObject({ head: null, rows: null, answered: null });
  await settled();
  stop();
});

test('an expanded row is requested, and other levels collapse it', async () => {
  const { store, stop, asked } = start(thousand);
  store.getState().show(query);
  await settled();
  store.getState().toggleExpanded(['BR']);
  await settled();
  expect(asked.at(-1)?.expanded).toEqual([['BR']]);
  store.getState().show(withLevels(query, ['subid']));
  expect(store.getState().expanded).toEqual([]);
  await settled();
  stop();
});

test('a failure keeps the loaded rows, and a selection ends with its rows', async () => {
  let fails = false;
  const { bridge, store, stop } = start((input) => {
    if (fails) throw new AppError('core_unreachable');
    return thousand(input);
  });
  store.getState().show(query);
  await settled();
  store.getState().toggleSelected(row(['S1'], ['1', '1', '1']));
  fails = true;
  bridge.emit({ kind: 'reports.changed' });
  await settled();
  const { failure, rows, selection } = store.getState();
  expect(failure?.code).toBe('core_unreachable');
  expect([rows?.count, selection.size]).toEqual([1000, 1]);
  store.getState().show(withLevels(query, ['date']));
  expect(store.getState().selection.size).toBe(0);
  await settled();
  stop();
});

test.each([
  ['a search', { search: 'S2' }, 0],
  ['a filter', { only: [{ dimension: 'geo', value: 'BR' }] }, 0],
  ['an exclusion, which hides no row', { excluded: [[{ dimension: 'geo', value: 'BR' }]] }, 1],
])('%s ends the selection if it may hide a selected row', async (_what, change, left) => {
  const { store, stop } = start(thousand);
  store.getState().show(query);
  await settled();
  store.getState().toggleSelected(row(['S1'], ['1', '1', '1']));
  store.getState().show({ ...query, ...change });
  expect(store.getState().selection.size).toBe(left);
  await settled();
  stop();
});

test('a selected row that was out of view while the report was read again is marked until it is seen', async () => {
  let version = '1';
  const { bridge, store, stop } = start((input) => ({ ...thousand(input), version }));
  store.getState().show(query);
  await settled();
  store.getState().toggleSelected(row(['S1'], ['1', '1', '1']));
  store.getState().toggleSelected(row(['S520'], ['1', '1', '1']));
  store.getState().showRows(500, 520);
  await settled();
  expect(store.getState().outdated.size).toBe(0);

  version = '2';
  bridge.emit({ kind: 'reports.changed' });
  await settled();
  expect([...store.getState().outdated]).toEqual(['["S1"]']);
  store.getState().showRows(0, 20);
  await settled();
  expect(store.getState().outdated.size).toBe(0);
  expect(store.getState().selection.size).toBe(2);
  stop();
});

test('after the end of a day the report is requested for the new days, and the shown rows stay until the answer', async () => {
  const { store, stop, asked } = start(thousand);
  store.getState().reloadForNewDay();
  expect(asked).toEqual([]);
  store.getState().show(query);
  await settled();
  store.getState().showRows(640, 670);
  await settled();
  const before = asked.length;
  store.getState().reloadForNewDay();
  expect(store.getState()).toMatchObject({ loading: true, answered: query });
  expect(store.getState().rows?.count).toBe(1000);
  await settled();
  expect(asked.slice(before).map(({ offset, read }) => [offset, read])).toEqual([
    [600, 'missing'],
    [500, 'none'],
    [700, 'none'],
  ]);
  stop();
});
