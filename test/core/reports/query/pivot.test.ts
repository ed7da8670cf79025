import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dataset } from '#core/reports/query/dataset.ts';
import { queryDrill, queryPage, queryDailySeries } from '#core/reports/query/page.ts';
import type { PagePart } from '#core/reports/worker/messages.ts';
import { type Table, unitsText } from '#core/reports/tables/table.ts';
import { tableOf } from '../table-text.ts';
import type { ReportExclusion } from '#shared/app-api/index.ts';
import { datasetOf, question, row, type Row } from './questions.ts';

const monday = '2026-11-09';
const tuesday = '2026-11-10';

/** Returns one column of the rows, with the last value of each path. */
function column(page: PagePart, id: string): (string | null)[][] {
  const at = page.columns.findIndex((column) => column.id === id);
  return page.rows.map(({ path, values }) => [path.at(-1) ?? null, values[at] ?? null]);
}

const total = (page: PagePart, id: string) =>
  page.totals[page.columns.findIndex((column) => column.id === id)];

describe('the grouping of a pivot', () => {
  const rows = [
    row(monday, 'BR', 5, { subid: 'a' }),
    row(monday, 'BR', 7, { subid: 'b' }),
    row(tuesday, 'BR', 1, { subid: 'a' }),
    row(tuesday, 'US', 9, { subid: 'c', revenue: '1.25' }),
  ];

  it('sums by the outer level first, and lists the children of expanded rows below them', () => {
    const levels = ['geo', 'subid', 'date'];
    const dataset = datasetOf(rows);
    expect(column(queryPage(dataset, question({ levels })), 'clicks')).toEqual([
      ['BR', '13'],
      ['US', '9'],
    ]);
    // A path below a collapsed row is not computed.
    const page = queryPage(dataset, question({ levels }, { expanded: [['BR'], ['BR', 'a'], ['US', 'c']] }));
    expect(page.rows.map(({ path, expandable, expanded }) => [path.join('/'), expandable, expanded])).toEqual(
      [
        ['BR', true, true],
        ['BR/b', true, false],
        ['BR/a', true, true],
        [`BR/a/${monday}`, false, false],
        [`BR/a/${tuesday}`, false, false],
        ['US', true, false],
      ],
    );
    expect(column(page, 'clicks').map(([, clicks]) => clicks)).toEqual(['13', '7', '6', '5', '1', '9']);
    const window = queryPage(
      dataset,
      question({ levels }, { expanded: [['BR'], ['BR', 'a']], offset: 3, limit: 2 }),
    );
    expect([window.rowCount, window.rows.map(({ path }) => path.join('/'))]).toEqual([
      6,
      [`BR/a/${monday}`, `BR/a/${tuesday}`],
    ]);
  });

  it('shows a missing value as its own group, and a missing dimension as one missing value', () => {
    const dataset = datasetOf([row(monday, 'BR', 1), { ...row(monday, 'BR', 2), geo: null }]);
    expect(column(queryPage(dataset, question()), 'clicks')).toEqual([
      [null, '2'],
      ['BR', '1'],
    ]);
    expect(column(queryPage(dataset, question({ levels: ['device'] })), 'clicks')).toEqual([[null, '3']]);
  });

  it('works without rows', () => {
    const page = queryPage(datasetOf([]), question());
    expect([page.rows, page.rowCount, page.days.length, total(page, 'clicks')]).toEqual([[], 0, 7, null]);
  });
});

describe('the figures of a pivot', () => {
  it('are ratios of sums, never of ratios, as exact decimals rounded half away from zero', () => {
    const rows = [
      row(monday, 'BR', 1, { revenue: '1', total: '2' }),
      row(tuesday, 'BR', 3, { revenue: '0.01', total: '100' }),
    ];
    const page = queryPage(datasetOf(rows), question());
    // The mean of the ratios would be 0.501667, 0.265, 250.05.
    expect(column(page, 'epc')).toEqual([['BR', '0.2525']]);
    expect(column(page, 'click_rate')).toEqual([['BR', '0.039216']]);
    expect(column(page, 'rpm')).toEqual([['BR', '9.901961']]);
    const negative = queryPage(datasetOf([row(monday, 'BR', 3, { revenue: '-0.02' })]), question());
    expect(column(negative, 'epc')).toEqual([['BR', '-0.006667']]);
  });

  it('are empty for a ratio of nothing and a column without values, and sums skip missing values', () => {
    const rows = [
      row(monday, 'BR', 0),
      row(monday, 'US', null),
      row(monday, 'DE', 4),
      row(monday, 'DE', null),
    ];
    const page = queryPage(datasetOf(rows), question());
    expect(column(page, 'clicks')).toEqual([
      ['DE', '4'],
      ['BR', '0'],
      ['US', null],
    ]);
    expect(column(page, 'epc')).toEqual([
      ['DE', '0.25'],
      ['BR', null],
      ['US', null],
    ]);
    expect(total(page, 'clicks')).toBe('4');
  });

  it('include every column of the contract, followed by the service’s other sums and dimensions', () => {
    const current = tableOf([{ date: monday, device: 'Phone', clicks: '1', bonus: '0.5', hits: '2' }], {
      clicks: 0,
      bonus: 1,
      hits: 0,
    });
    const page = queryPage(
      new Dataset({ kind: 'search', current, compared: null, shiftDays: 0 }),
      question({ levels: ['device'] }),
    );
    expect(page.columns.map(({ id }) => id)).toEqual([
      'total',
      'monetized',
      'clicks',
      'revenue',
      'monetized_rate',
      'click_rate',
      'epc',
      'rpm',
      'bonus',
      'hits',
    ]);
    expect(page.columns.slice(-2)).toEqual([
      { id: 'bonus', kind: 'number', label: 'bonus' },
      { id: 'hits', kind: 'number', label: 'hits' },
    ]);
    expect(page.dimensions).toEqual(['date', 'geo', 'feed', 'subid', 'device']);
    expect(page.rows[0]?.values).toEqual([null, null, '1', null, null, null, null, null, '0.5', '2']);
  });

  it('treat an unknown number neither as a count nor as money, whatever its digits', () => {
    const shown = (...days: string[]) => {
      const rows = days.map((ctr) => ({ date: monday, geo: 'BR', ctr }));
      const current = tableOf(rows, { ctr: days.includes('0.031') ? 3 : 0 });
      const page = queryPage(
        new Dataset({ kind: 'search', current, compared: null, shiftDays: 0 }),
        question(),
      );
      return { column: page.columns.at(-1), total: total(page, 'ctr') };
    };
    const column = { id: 'ctr', kind: 'number', label: 'ctr' };
    expect(shown('1', '2')).toEqual({ column, total: '3' });
    expect(shown('1', '0.031')).toEqual({ column, total: '1.031' });
  });

  it('refuse a sum beyond the safe integers, even if only the total exceeds them', () => {
    const large = '9007199254740991';
    const refused = expect.objectContaining({
      code: 'number_too_large',
      data: expect.objectContaining({ field: 'clicks' }),
    });
    const inOne = datasetOf([row(monday, 'BR', 1, { clicks: large }), row(monday, 'BR', 1)]);
    expect(() => queryPage(inOne, question())).toThrow(refused);
    const inTwo = datasetOf([row(monday, 'BR', 1, { clicks: large }), row(tuesday, 'US', 1)]);
    expect(() => queryPage(inTwo, question())).toThrow(refused);
    const one = datasetOf([row(monday, 'BR', 1, { clicks: large })]);
    expect(column(queryPage(one, question()), 'clicks')).toEqual([['BR', large]]);
  });
});

describe('money whose sum is too large for its decimals', () => {
  const money = (revenue: string | null, geo: string, more: Row = {}) => ({
    ...row(monday, geo, 1),
    revenue,
    ...more,
  });
  const tableIn = (scale: number, rows: readonly Row[]) =>
    tableOf(rows, { total: 0, monetized: 0, clicks: 0, revenue: scale });
  const ask = (current: Table, compared: Table | null = null) =>
    queryPage(
      new Dataset({ kind: 'search', current, compared, shiftDays: 7 }),
      question({ sort: { column: 'revenue', descending: true } }),
    );

  it('is exact in groups, totals, rates and the sort order', () => {
    const rows = [
      money('5000000.123456789', 'US'),
      money('5000000.123456788', 'DE'),
      money('5000000.1', 'DE'),
      money('-0.000000001', 'FR'),
      money(null, 'BR'),
    ];
    const page = ask(tableIn(9, rows));
    expect(column(page, 'revenue')).toEqual([
      ['DE', '10000000.223456788'],
      ['US', '5000000.123456789'],
      ['FR', '-0.000000001'],
      ['BR', null],
    ]);
    expect(total(page, 'revenue')).toBe('15000000.346913576');
    expect(total(page, 'epc')).toBe('3000000.069383');
    expect(total(page, 'clicks')).toBe('5');
  });

  it('is exact if the compared parts have different decimals', () => {
    const before = [money('9007199254740991', 'US', { date: '2026-11-02' })];
    const page = ask(tableIn(9, [money('0.000000001', 'US')]), tableIn(0, before));
    expect(page.rows.map(({ values, compared }) => [values[3], compared?.[3]])).toEqual([
      ['0.000000001', '9007199254740991'],
    ]);
    expect(page.comparedTotals?.[3]).toBe('9007199254740991');
  });

  it('equals the sum of its digits for any rows', () => {
    const cents = fc.bigInt({ min: -(9n * 10n ** 15n), max: 9n * 10n ** 15n });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 30 }), (units) => {
        const page = ask(
          tableIn(
            9,
            units.map((each) => money(unitsText(each, 9), 'US')),
          ),
        );
        expect(total(page, 'revenue')).toBe(
          unitsText(
            units.reduce((sum, each) => sum + each, 0n),
            9,
          ),
        );
      }),
    );
  });
});

describe('an unknown column of identifiers', () => {
  const tables = (current: string[], compared: string[] | null, scales: [number, number]) =>
    new Dataset({
      kind: 'search',
      current: tableOf(
        current.map((x) => ({ geo: 'BR', x, clicks: '1' })),
        { x: scales[0], clicks: 0 },
      ),
      compared:
        compared &&
        tableOf(
          compared.map((x) => ({ geo: 'BR', x, clicks: '1' })),
          { x: scales[1], clicks: 0 },
        ),
      shiftDays: 7,
    });
  const large = '9007199254740991';

  it.each<[string, string[], string[] | null, [number, number]]>([
    ['of one range', [large, '1'], null, [0, 0]],
    ['of the compared days', ['1'], [large, '1'], [0, 0]],
    ['in two scales', [large], ['0.5'], [0, 1]],
  ])('is a dimension and refuses nothing if its sum %s exceeds the safe integers', (_what, ...columns) => {
    const page = queryPage(tables(...columns), question());
    expect(page.dimensions).toContain('x');
    expect(page.columns.map(({ id }) => id)).not.toContain('x');
    expect(total(page, 'clicks')).toBe(String(columns[0].length));
    const byX = queryPage(tables(...columns), question({ levels: ['x'] }));
    expect(column(byX, 'clicks').map(([value]) => value)).toEqual(expect.arrayContaining(columns[0]));
  });

  it('stays a sum as long as the sum is exact', () => {
    expect(total(queryPage(tables(['9007199254740990', '1'], null, [0, 0]), question()), 'x')).toBe(large);
  });
});

describe('excluded values', () => {
  const rows = [
    row(monday, 'BR', 5, { subid: 'bot' }),
    row(monday, 'BR', 2),
    row(tuesday, 'US', 1, { subid: 'bot' }),
  ];

  it('disappear from totals, parents and series at once, and stay listed with their sums', () => {
    const excluded = [[{ dimension: 'subid', value: 'bot' }]];
    const levels = ['geo', 'subid'];
    const page = queryPage(datasetOf(rows), question({ levels, excluded }, { expanded: [['BR']] }));
    expect(page.rows.map(({ path, excluded, values }) => [path.join('/'), excluded, values[2]])).toEqual([
      ['BR', false, '2'],
      ['BR/bot', true, '5'],
      ['BR/s', false, '2'],
      // Each row of this value is excluded.
      ['US', true, '1'],
    ]);
    expect(total(page, 'clicks')).toBe('2');
    expect(page.days.slice(0, 2).map(({ values }) => values[2])).toEqual(['2', null]);
  });

  it('inside another row disappear only from that parent', () => {
    const rows = ['BR', 'US', 'DE'].flatMap((geo) =>
      ['7', '8'].map((feed) => row(monday, geo, Number(feed), { feed })),
    );
    const of = (geo: string, feed: string) => [
      { dimension: 'geo', value: geo },
      { dimension: 'feed', value: feed },
    ];
    const excluded = [of('BR', '7'), of('US', '8'), of('XX', '7'), of('BR', '9')];
    const page = queryPage(
      datasetOf(rows, rows),
      question({ levels: ['geo', 'feed'], excluded }, { expanded: [['BR'], ['US'], ['DE']] }),
    );
    expect(page.rows.map(({ path, excluded, values }) => [path.join('/'), excluded, values[2]])).toEqual([
      ['DE', false, '15'],
      ['DE/8', false, '8'],
      ['DE/7', false, '7'],
      ['BR', false, '8'],
      ['BR/8', false, '8'],
      ['BR/7', true, '7'],
      ['US', false, '7'],
      ['US/8', true, '8'],
      ['US/7', false, '7'],
    ]);
    expect(total(page, 'clicks')).toBe('30');
  });

  it('are counted by the rows that they exclude, on any day', () => {
    const of = (geo: string) => [{ dimension: 'geo', value: geo }];
    const bot = [...of('US'), { dimension: 'subid', value: 'bot' }];
    const compared = [row('2026-11-02', 'DE', 50), row('2026-11-03', 'FR', 4)];
    const counts = (excluded: ReportExclusion[], levels = ['geo']) => {
      const asked = question({ excluded, levels }, { expanded: [['BR']], limit: 1 });
      const { rowCount, excludedCount } = queryPage(datasetOf(rows, compared), asked);
      return [rowCount, excludedCount];
    };
    expect(counts([])).toEqual([4, 0]);
    // No row has XX, and every row of US is excluded by its sub-ID.
    expect(counts([of('BR'), of('XX'), of('DE'), bot])).toEqual([4, 3]);
    expect(counts([[{ dimension: 'subid', value: 'bot' }]], ['geo', 'subid'])).toEqual([6, 2]);
  });
});

describe('the incomplete day of a pivot', () => {
  const rows = [row(monday, 'BR', 5), row(tuesday, 'BR', 2), row(tuesday, 'US', 1)];
  const compared = [row('2026-11-02', 'BR', 50), row('2026-11-03', 'BR', 20)];
  const days = { incompleteDay: tuesday };

  it('has its own values in its row and in the series, without a comparison', () => {
    const page = queryPage(
      datasetOf(rows, compared),
      question({ levels: ['date'], sort: { column: 'date', descending: false } }, days),
    );
    expect([column(page, 'clicks'), page.rows[1]?.compared, page.rows[1]?.excluded]).toEqual([
      [
        [monday, '5'],
        [tuesday, '3'],
      ],
      null,
      false,
    ]);
    expect([page.days[1]?.values[2], page.comparedDays[1]?.values[2]]).toEqual(['3', null]);
  });
});

describe('the comparison of a pivot', () => {
  const rows = [row(monday, 'BR', 5), row(tuesday, 'US', 1)];
  const compared = [row('2026-11-02', 'BR', 8, { revenue: '0.125' }), row('2026-11-03', 'FR', 4)];
  const fine = (compared: typeof rows) =>
    new Dataset({
      kind: 'search',
      current: tableOf(rows, { clicks: 0, revenue: 1 }),
      compared: tableOf(compared, { clicks: 0, revenue: 3 }),
      shiftDays: 7,
    });

  it('matches rows by their path, and lists rows that existed only before', () => {
    const page = queryPage(fine(compared), question());
    expect(
      page.rows.map(({ path, values, compared }) => [path[0], values[2], compared?.[2] ?? null]),
    ).toEqual([
      ['BR', '5', '8'],
      ['US', '1', null],
      ['FR', null, '4'],
    ]);
    expect([page.totals[2], page.totals[3], page.comparedTotals?.[2], page.comparedTotals?.[3]]).toEqual([
      '6',
      '1',
      '12',
      '0.625',
    ]);
  });

  it('matches days by their position in the range, in rows, filters and series', () => {
    const byDate = queryPage(
      fine(compared),
      question({ levels: ['date'], only: [{ dimension: 'date', value: tuesday }] }),
    );
    expect(byDate.rows.map(({ path, values, compared }) => [path[0], values[2], compared?.[2]])).toEqual([
      [tuesday, '1', '4'],
    ]);
    const { comparedDays } = queryPage(fine(compared), question());
    expect(comparedDays.slice(0, 2).map(({ date, values }) => [date, values[2]])).toEqual([
      ['2026-11-02', '8'],
      ['2026-11-03', '4'],
    ]);
  });

  it('is empty if nothing is compared', () => {
    const page = queryPage(datasetOf(rows), question({}, { compared: null }));
    expect([page.rows[0]?.compared, page.comparedTotals, page.comparedDays]).toEqual([null, null, []]);
  });
});

describe('the order of a pivot', () => {
  const rows = [
    row(monday, 'BR', 5, { feed: '10' }),
    row(monday, 'US', 5, { feed: '9', revenue: '3' }),
    row(monday, 'DE', null, { feed: '100' }),
    { ...row(monday, 'x', 1), geo: null, feed: 'A' },
  ];
  const compared = [row('2026-11-02', 'BR', 1), row('2026-11-02', 'US', 9), row('2026-11-02', 'FR', 6)];
  const geos = (column: string, descending: boolean) =>
    queryPage(datasetOf(rows, compared), question({ sort: { column, descending } })).rows.map(
      ({ path }) => path[0],
    );

  it.each([
    ['a column', 'clicks', true, ['BR', 'US', null, 'DE', 'FR']],
    ['a column, ascending', 'clicks', false, [null, 'BR', 'US', 'DE', 'FR']],
    ['a ratio', 'epc', true, ['US', null, 'BR', 'DE', 'FR']],
    ['the difference of a column', 'clicks:difference', false, ['FR', 'US', null, 'BR', 'DE']],
    ['the dimension', 'geo', false, ['BR', 'DE', 'FR', 'US', null]],
    ['the dimension, descending', 'geo', true, ['US', 'FR', 'DE', 'BR', null]],
    ['a missing column', 'nothing', true, ['BR', 'DE', 'FR', 'US', null]],
  ])('by %s sorts ties by label and missing values last', (_what, column, descending, expected) => {
    expect(geos(column, descending)).toEqual(expected);
  });

  it('sorts numeric labels by value, before texts', () => {
    const page = queryPage(
      datasetOf(rows),
      question({ levels: ['feed'], sort: { column: 'feed', descending: false } }),
    );
    expect(page.rows.map(({ path }) => path[0])).toEqual(['9', '10', '100', 'A']);
  });
});

describe('the search in a pivot', () => {
  const rows = [
    row(monday, 'BR', 5, { subid: 'Bot-1' }),
    row(monday, 'BR', 1, { subid: 'x' }),
    row(monday, 'US', 1, { subid: 'y' }),
  ];
  const levels = ['geo', 'subid'];
  const listed = (search: string) =>
    queryPage(datasetOf(rows), question({ levels, search }, { expanded: [['BR'], ['US']] })).rows.map(
      ({ path }) => path.join('/'),
    );

  it('lists matching rows with the rows above and below them, in any case', () => {
    expect(listed('bOT')).toEqual(['BR', 'BR/Bot-1']);
    expect(listed('us')).toEqual(['US', 'US/y']);
    expect(listed('none')).toEqual([]);
  });

  it('does not change totals and sums', () => {
    const page = queryPage(datasetOf(rows), question({ levels, search: 'bot' }));
    expect([column(page, 'clicks'), total(page, 'clicks')]).toEqual([[['BR', '6']], '7']);
  });
});

it.each([
  ['geo', 'brazil', ['BR']],
  ['geo', 'br', ['BR']],
  ['date', '10 Nov', [tuesday]],
  ['date', 'mon, ', [monday]],
  ['date', tuesday, [tuesday]],
])('finds a %s that pages show as %o', (level, search, found) => {
  const dataset = datasetOf([row(monday, 'BR', 1), row(tuesday, 'DE', 2)]);
  const page = queryPage(dataset, question({ levels: [level], search }));
  expect(page.rows.map(({ path }) => path[0])).toEqual(found);
});

it('a panel lists the days of a value in order, and the values of a day in the order of the report', () => {
  const dataset = datasetOf([
    row(tuesday, 'BR', 1),
    row(monday, 'BR', 9),
    row(monday, 'US', 3),
    row(monday, 'DE', 4),
  ]);
  const { query } = question({ search: 'zzz', excluded: [[{ dimension: 'geo', value: 'BR' }]] });
  const days = queryDrill(dataset, { query, of: { dimension: 'geo', value: 'BR' }, by: 'date' });
  expect(days.rows.map(({ value, values }) => [value, values[2]])).toEqual([
    [monday, '9'],
    [tuesday, '1'],
  ]);
  const geos = queryDrill(dataset, { query, of: { dimension: 'date', value: monday }, by: 'geo' });
  expect(geos.rows.map(({ value, values }) => [value, values[2]])).toEqual([
    ['BR', '9'],
    ['DE', '4'],
    ['US', '3'],
  ]);
});

it('a panel lists only as many values as it has room for, and counts all', () => {
  const dataset = datasetOf(Array.from({ length: 500 }, (_, at) => row(monday, `country-${at}`, at)));
  const { query } = question();
  const { rows, rowCount } = queryDrill(dataset, {
    query: { ...query, sort: { column: 'clicks', descending: true } },
    of: { dimension: 'date', value: monday },
    by: 'geo',
  });
  expect([rows.length, rows[0]?.value, rows.at(-1)?.value, rowCount]).toEqual([
    400,
    'country-499',
    'country-100',
    500,
  ]);
});

it('a panel shows one value of a dimension that is filtered to several', () => {
  const dataset = datasetOf([row(monday, 'BR', 5), row(monday, 'DE', 4), row(tuesday, 'DE', 1)]);
  const [brazil, germany] = ['BR', 'DE'].map((value) => ({ dimension: 'geo', value }));
  const { query } = question({ only: [brazil!, germany!] });
  const days = queryDrill(dataset, { query, of: germany!, by: 'date' });
  expect(days.rows.map(({ value, values }) => [value, values[2]])).toEqual([
    [monday, '4'],
    [tuesday, '1'],
  ]);
});

it('a pivot has no series if its rows have no date', () => {
  const current = tableOf([{ geo: 'BR', clicks: '1' }], { clicks: 0 });
  const dataset = new Dataset({ kind: 'xml', current, compared: null, shiftDays: 0 });
  expect(queryDailySeries(dataset, question())).toEqual({ days: [], comparedDays: [] });
});

describe('outliers among rows', () => {
  const others = ['a', 'b', 'c', 'd'].map((subid) =>
    row(monday, 'BR', 24, { subid, total: '1000', monetized: '650' }),
  );
  const odd = row(monday, 'BR', 25, { subid: 'bots', total: '1000', monetized: '180' });

  it('are marked by their share compared to the other rows, whatever they were before', () => {
    const before = { ...odd, date: '2026-11-02', monetized: '20' };
    const dataset = datasetOf([...others, odd], [before]);
    const page = queryPage(dataset, question({ levels: ['subid'] }));
    expect(page.rows.filter(({ unlike }) => unlike.length > 0).map(({ path }) => path)).toEqual([['bots']]);
    expect(page.rows.find(({ path }) => path[0] === 'bots')?.unlike).toEqual([
      { column: 'monetized_rate', is: 'low', typical: '0.65' },
    ]);
  });

  it('are judged among rows of the same parent, without excluded rows', () => {
    const elsewhere = ['a', 'b', 'c', 'd'].map((subid) =>
      row(monday, 'US', 24, { subid, total: '1000', monetized: '180' }),
    );
    const dataset = datasetOf([...others, odd, ...elsewhere]);
    const levels = ['geo', 'subid'];
    const expanded = [['BR'], ['US']];
    const flagged = (page: PagePart) =>
      page.rows.filter(({ unlike }) => unlike.length > 0).map(({ path }) => path.join('/'));
    expect(flagged(queryPage(dataset, question({ levels }, { expanded })))).toEqual(['BR/bots']);
    const excluded = [[{ dimension: 'subid', value: 'bots' }]];
    expect(flagged(queryPage(dataset, question({ levels: ['subid'], excluded })))).toEqual([]);
    expect(flagged(queryPage(dataset, question({ levels, search: 'bots' }, { expanded })))).toEqual([
      'BR/bots',
    ]);
  });
});
