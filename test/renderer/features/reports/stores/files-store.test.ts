import { expect, test } from 'vitest';
import { createFilesStore } from '#renderer/features/reports/stores/files-store.ts';
import {
  tableShape,
  type FileOrigin,
  type ShownTable,
} from '#renderer/features/reports/stores/table-file.ts';
import type { ReportPage, ReportQuery } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { columnLabel } from '#shared/reports/index.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const query: ReportQuery = {
  source: { kind: 'search', sid: null },
  range: { from: '2026-11-01', to: '2026-11-02' },
  comparison: 'none',
  includeToday: false,
  levels: ['geo'],
  only: [{ dimension: 'geo', value: 'BR' }],
  excluded: [[{ dimension: 'subid', value: '=1' }]],
  search: 'x',
  sort: { column: 'clicks', descending: true },
};
const table: ShownTable = { query, expanded: [], columns: ['revenue', 'clicks', 'gone'] };
const origin: FileOrigin = {
  service: 'https://api.example',
  profile: { id: 'p', name: 'Northwind', kind: 'live', account: '1042', zone: 'Europe/Berlin' },
};

/** Returns a page of a report with `count` rows, of which the third is excluded. */
function page(offset: number, limit: number, count: number, version = '1'): ReportPage {
  const rows = Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, at) => ({
    path: [`row ${offset + at}`],
    expandable: false,
    expanded: false,
    excluded: offset + at === 2,
    values: [String(offset + at), '0.10'],
    compared: null,
    unlike: [],
  }));
  return {
    range: { from: '2026-11-01', to: '2026-11-02' },
    counted: { from: '2026-11-01', to: '2026-11-01' },
    compared: null,
    incompleteDay: '2026-11-02',
    zone: 'Europe/Berlin',
    columns: [
      { id: 'clicks', kind: 'count', label: null },
      { id: 'revenue', kind: 'money', label: null },
    ],
    dimensions: ['geo'],
    rows,
    rowCount: count,
    excludedCount: count > 2 ? 1 : 0,
    totals: ['99', '9.90'],
    comparedTotals: null,
    days: [],
    comparedDays: [],
    version,
    state: {
      state: 'idle',
      doneRequests: 1,
      allRequests: 1,
      receivedBytes: 1,
      failure: null,
      readAtMs: 1,
      partial: false,
    },
  };
}

/** A store over a report, with a file and a clipboard that record their content. */
function taking(
  count: number,
  options: {
    version?: (offset: number) => string;
    counted?: ReportPage['counted'];
    excludedCount?: number;
    part?: () => void | Promise<void>;
    end?: () => void;
    refused?: boolean;
  } = {},
) {
  const file = { name: '', text: '', end: '', bytes: 0 };
  const clipboard: string[] = [];
  const pictures: number[] = [];
  let parts = 0;
  const bridge = fakeBridge({
    'reports.page': ({ offset, limit }) => {
      const answer = page(offset, limit, count, options.version?.(offset));
      const { counted = answer.counted, excludedCount = answer.excludedCount } = options;
      return { ...answer, counted, excludedCount };
    },
    'reports.exportStart': ({ format }) => ({ id: 'e', name: `report.${format}` }),
    'reports.exportPart': async () => {
      await options.part?.();
      parts += 1;
      return { text: `part ${parts};`, receivedBytes: parts * 7, done: parts === 3 };
    },
    'reports.exportEnd': () => {
      options.end?.();
      return null;
    },
  });
  const store = createFilesStore({
    bridge,
    formats: () => defaultFormats,
    copyText: async (text) => void clipboard.push(text),
    async copyPicture(picture) {
      if (options.refused) throw new AppError('clipboard_refused');
      pictures.push(picture.size);
    },
    newFile: async (name) => {
      file.name = name;
      return {
        name,
        async add(part) {
          if (typeof part === 'string') file.text += part;
          else file.bytes += part.byteLength;
        },
        end: async (keep) => void (file.end = keep ? 'kept' : 'thrown away'),
      };
    },
  });
  return { store, file, clipboard, pictures, bridge };
}

test('the table is written with its origin, the chosen columns, every row that counts, and the total', async () => {
  const { store, file } = taking(1_201);
  await store.getState().saveTable(table, origin);
  const lines = file.text.split('\r\n');
  expect(lines.slice(0, 13)).toEqual([
    'Service,https://api.example',
    'Profile,Northwind',
    'Account,1042',
    'Report,"Search, every feed"',
    'Range,2026-11-01',
    'Incomplete day,"2026-11-02, not in the total"',
    'Time zone,Europe/Berlin',
    'Filters,Only Country: Brazil (BR); Without Sub-ID: =1; Search: x',
    'Time read,1970-01-01T00:00:00Z',
    '',
    'Country,Revenue,Clicks',
    'row 0,0.10,0',
    'row 1,0.10,1',
  ]);
  expect(lines).toHaveLength(11 + 1_200 + 2);
  expect(lines.slice(-2)).toEqual(['Total of all countries without 1 value,9.90,99', '']);
  expect(file).toMatchObject({ name: 'countersign-search-all-2026-11-01.csv', end: 'kept' });
  expect(store.getState().flow).toEqual({ kind: 'saved', name: file.name });
});

test('a file names excluded rows together with their parent rows', async () => {
  const { store, file } = taking(2);
  const of = (geo: string, feed: string) => [
    { dimension: 'geo', value: geo },
    { dimension: 'feed', value: feed },
  ];
  const excluded = [of('BR', '7'), [{ dimension: 'feed', value: '9' }], of('US', '8')];
  await store.getState().saveTable({ ...table, query: { ...query, only: [], search: '', excluded } }, origin);
  expect(file.text).toContain(
    'Filters,"Without Country › Feed: Brazil (BR) › 7, United States (US) › 8; Without Feed: 9"',
  );
});

test('figures that change during an export leave no file and no copy, even if number and age of the rows are unchanged', async () => {
  const { store, file, clipboard } = taking(900, { version: (offset) => (offset < 500 ? '1' : '2') });
  await store.getState().saveTable(table, origin);
  expect(file.end).toBe('thrown away');
  expect(store.getState().flow).toMatchObject({ kind: 'failed', failure: { code: 'report_export_ended' } });
  await store.getState().copyTable(table);
  expect(clipboard).toEqual([]);
  expect(store.getState().flow).toMatchObject({ kind: 'failed', failure: { code: 'report_export_ended' } });
});

test('a copy contains as many rows as the clipboard allows, and counts the other rows that are not excluded', async () => {
  const { store, clipboard } = taking(10_250, { excludedCount: 51 });
  await store.getState().copyTable(table);
  expect(clipboard[0]?.split('\r\n').slice(0, 2)).toEqual(['Country\tRevenue\tClicks', 'row 0\t0.10\t0']);
  expect(store.getState().flow).toEqual({ kind: 'copied', rows: 9_999, skipped: 200, incompleteDay: null });
});

const firstDay = { from: '2026-11-01', to: '2026-11-01' };
const bothDays = { from: '2026-11-01', to: '2026-11-02' };

test.each([
  ['by day, left out of the total', { levels: ['date'], counted: firstDay }, ', not in the total', true],
  ['by day, counted', { levels: ['date'], counted: bothDays }, '', true],
  ['by country, counted', { levels: ['geo'], counted: bothDays }, '', true],
  ['by country, left out', { levels: ['geo'], counted: firstDay }, ', not in the total', false],
])('an incomplete day is named in a file and after a copy: %s', async (_case, shown, words, isCopied) => {
  const { store, file } = taking(2, { counted: shown.counted });
  // A range of today alone counts, although today was not explicitly included.
  const asked = { ...table, query: { ...query, levels: shown.levels } };
  await store.getState().saveTable(asked, origin);
  expect(file.text).toMatch(new RegExp(`^Incomplete day,"?2026-11-02${words}"?\r$`, 'm'));
  await store.getState().copyTable(asked);
  expect(store.getState().flow).toMatchObject({ incompleteDay: isCopied ? '2026-11-02' : null });
});

test('the service’s own file is written unchanged, and the export is closed at the service', async () => {
  const { store, file, bridge } = taking(0);
  const input = { source: query.source, range: query.range, grouping: 'day', format: 'json' } as const;
  await store.getState().saveServiceFile(input);
  expect(file).toMatchObject({ name: 'report.json', text: 'part 1;part 2;part 3;', end: 'kept' });
  expect(bridge.asked.at(-1)).toEqual({ name: 'reports.exportEnd', input: { id: 'e' } });
});

test('a cancelled or broken export leaves no file and is closed at the service', async () => {
  const input = { source: query.source, range: query.range, grouping: 'day', format: 'csv' } as const;
  const cancelled = taking(0, { part: () => cancelled.store.getState().cancel() });
  await cancelled.store.getState().saveServiceFile(input);
  expect(cancelled.file.end).toBe('thrown away');
  expect(cancelled.store.getState().flow).toEqual({ kind: 'idle' });
  expect(cancelled.bridge.asked.at(-1)?.name).toBe('reports.exportEnd');

  const broken = taking(0, {
    part: () => {
      throw new AppError('service_unreachable');
    },
  });
  await broken.store.getState().saveServiceFile(input);
  expect(broken.file.end).toBe('thrown away');
  expect(broken.store.getState().flow).toMatchObject({
    kind: 'failed',
    failure: { code: 'service_unreachable' },
  });
  expect(broken.bridge.asked.at(-1)?.name).toBe('reports.exportEnd');
});

test('a cancelled export ends its request while the service is silent, and another can begin', async () => {
  const input = { source: query.source, range: query.range, grouping: 'day', format: 'csv' } as const;
  const silent = Promise.withResolvers<void>();
  const { store, file, bridge } = taking(0, {
    part: () => silent.promise,
    end: () => silent.reject(new AppError('report_export_ended')),
  });
  const first = store.getState().saveServiceFile(input);
  await settled();
  store.getState().cancel();
  expect(store.getState().flow).toEqual({ kind: 'cancelling' });
  expect(bridge.asked.at(-1)).toEqual({ name: 'reports.exportEnd', input: { id: 'e' } });
  await first;
  expect(file.end).toBe('thrown away');
  expect(store.getState().flow).toEqual({ kind: 'idle' });
  await store.getState().copyTable(table);
  expect(store.getState().flow).toMatchObject({ kind: 'copied' });
});

test('a picture is saved unchanged, and blocks no other export', async () => {
  const { store, file } = taking(3);
  const first = store.getState().savePicture('chart.png', async () => new Blob([Uint8Array.of(1, 2, 3)]));
  await store.getState().copyTable(table);
  await first;
  expect(file).toMatchObject({ name: 'chart.png', bytes: 3, end: 'kept' });
  expect(store.getState().flow).toEqual({ kind: 'saved', name: 'chart.png' });
});

test('a copied picture leaves no file, and a refused clipboard is reported', async () => {
  const picture = async (): Promise<Blob> => new Blob([Uint8Array.of(1, 2, 3)]);
  const { store, file, pictures } = taking(3);
  await store.getState().copyPicture(picture);
  expect(pictures).toEqual([3]);
  expect(file.name).toBe('');
  expect(store.getState().flow).toEqual({ kind: 'picture-copied' });

  const refused = taking(3, { refused: true });
  await refused.store.getState().copyPicture(picture);
  expect(refused.store.getState().flow).toMatchObject({
    kind: 'failed',
    failure: { code: 'clipboard_refused' },
  });
});

test('the exact share of total has the same column as in the table, followed by the share of the compared total', () => {
  const head = {
    ...page(0, 0, 2),
    totals: ['30', '0'],
    comparedTotals: ['8', '9.90'],
    compared: { from: '2026-10-30', to: '2026-10-31' },
  };
  const shapeBy = (column: string) =>
    tableShape(
      head,
      {
        ...table,
        query: { ...query, sort: { column, descending: true } },
        columns: ['share-of-total', 'clicks'],
      },
      defaultFormats,
    );
  const { shape, rowOf } = shapeBy('clicks:difference');
  expect(shape.columns.map(columnLabel)).toEqual(['Share of clicks', 'Clicks']);
  const [values, compared] = [
    ['10', '0.10'],
    ['2', '0.10'],
  ];
  expect(rowOf({ path: ['BR'], values, compared, unlike: [] })).toEqual({
    path: ['BR'],
    values: ['0.3333333333', '10'],
    compared: ['0.25', '2'],
    flag: '',
  });
  expect(rowOf({ path: [], values: head.totals, compared: null, unlike: [] }).values).toEqual(['1', '30']);
  // A share of a total of zero is missing.
  const byRevenue = shapeBy('geo');
  expect(byRevenue.shape.columns.map(columnLabel)).toEqual(['Share of revenue', 'Clicks']);
  expect(byRevenue.rowOf({ path: ['BR'], values, compared: null, unlike: [] }).values).toEqual([null, '10']);
});

test('an incomplete day has a share only of a total that includes it', () => {
  const sharesOf = (counted: ReportPage['counted']) => {
    const { rowOf } = tableShape(
      { ...page(0, 0, 2), totals: ['100', '1'], counted },
      { query: { ...query, levels: ['date', 'geo'] }, expanded: [], columns: ['share-of-total', 'clicks'] },
      defaultFormats,
    );
    return [['2026-11-01'], ['2026-11-02'], ['2026-11-02', 'BR'], []].map(
      (path) => rowOf({ path, values: ['5', '0.10'], compared: null, unlike: [] }).values,
    );
  };
  expect(sharesOf(firstDay)).toEqual([
    ['0.05', '5'],
    [null, '5'],
    [null, '5'],
    ['0.05', '5'],
  ]);
  expect(sharesOf(bothDays).map(([share]) => share)).toEqual(['0.05', '0.05', '0.05', '0.05']);
});
