import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPublisher, today } from './open-publisher.ts';
import type { RunningPublisher } from './open-publisher.ts';

let publisher: RunningPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.dispose());

type Parameters = Record<string, string | number | null>;
type Refusal = [name: string, parameters: () => Parameters, status: number, code: string, fields: string[]];

const ofBoth: Refusal[] = [
  ['no key', () => ({ token: null }), 401, 'publisher_key_invalid', []],
  ['an empty key', () => ({ token: '' }), 401, 'publisher_key_invalid', []],
  ['an unknown key', () => ({ token: `pk_${'A'.repeat(43)}` }), 401, 'publisher_key_invalid', []],
  [
    'a key with a letter more',
    () => ({ token: `${publisher.keys.whole}A` }),
    401,
    'publisher_key_invalid',
    [],
  ],
  [
    'a bad key and bad dates: the key counts first',
    () => ({ token: 'x', date_to: 'x' }),
    401,
    'publisher_key_invalid',
    [],
  ],
  ['no first day', () => ({ date_from: null }), 422, 'validation_failed', ['date_from']],
  ['no last day', () => ({ date_to: null }), 422, 'validation_failed', ['date_to']],
  ['an empty day', () => ({ date_from: '' }), 422, 'validation_failed', ['date_from']],
  ['30 February', () => ({ date_from: '2026-02-30' }), 422, 'validation_failed', ['date_from']],
  [
    '29 February of a common year',
    () => ({ date_to: '2026-02-29', date_from: '2026-02-01' }),
    422,
    'validation_failed',
    ['date_to'],
  ],
  ['a month 13', () => ({ date_to: '2026-13-01' }), 422, 'validation_failed', ['date_to']],
  [
    'a day with a time',
    () => ({ date_from: '2026-03-01T00:00:00Z' }),
    422,
    'validation_failed',
    ['date_from'],
  ],
  ['a day in another order', () => ({ date_from: '01-03-2026' }), 422, 'validation_failed', ['date_from']],
  ['a day without its zeros', () => ({ date_from: '2026-3-1' }), 422, 'validation_failed', ['date_from']],
  [
    'a range that ends before it begins',
    () => ({ date_from: today, date_to: '2026-03-09' }),
    422,
    'validation_failed',
    ['date_to'],
  ],
  ['an unknown format', () => ({ export: 'xlsx' }), 422, 'validation_failed', ['export']],
  ['a format in capitals', () => ({ export: 'CSV' }), 422, 'validation_failed', ['export']],
  ['an empty format', () => ({ export: '' }), 422, 'validation_failed', ['export']],
  [
    'an export without rows',
    () => ({ date_from: '2019-01-01', date_to: '2019-01-31', export: 'json' }),
    404,
    'no_data',
    [],
  ],
  [
    'a CSV export without rows',
    () => ({ date_from: '2019-01-01', date_to: '2019-01-31', export: 'csv' }),
    404,
    'no_data',
    [],
  ],
];

const ofXml: Refusal[] = [
  [
    'a key for the Search report',
    () => ({ token: publisher.keys.searchOnly }),
    403,
    'publisher_scope_missing',
    [],
  ],
  [
    'a key for the Search report and bad dates',
    () => ({ token: publisher.keys.searchOnly, date_to: 'x' }),
    403,
    'publisher_scope_missing',
    [],
  ],
  ['no tid', () => ({ tid: null }), 422, 'validation_failed', ['tid']],
  ['a tid in words', () => ({ tid: 'all' }), 422, 'validation_failed', ['tid']],
  ['an empty tid', () => ({ tid: '' }), 422, 'validation_failed', ['tid']],
  ['a tid with a sign', () => ({ tid: '-7301' }), 422, 'validation_failed', ['tid']],
  ['a tid with a plus', () => ({ tid: '+7301' }), 422, 'validation_failed', ['tid']],
  ['a tid with decimals', () => ({ tid: '7301.0' }), 422, 'validation_failed', ['tid']],
  ['a tid with a zero before', () => ({ tid: '07301' }), 422, 'validation_failed', ['tid']],
  ['a tid in hexadecimal', () => ({ tid: '0x1c85' }), 422, 'validation_failed', ['tid']],
  ['the tid 0', () => ({ tid: 0 }), 422, 'validation_failed', ['tid']],
  ['an unknown tid', () => ({ tid: 999_999 }), 403, 'source_forbidden', []],
  ['a tid with thirty digits', () => ({ tid: '9'.repeat(30) }), 403, 'source_forbidden', []],
  ['a tid of another publisher', () => ({ tid: publisher.buyerTid }), 403, 'source_forbidden', []],
  [
    'a tid outside of the key',
    () => ({ token: publisher.keys.xmlOnly, tid: publisher.tids[3] ?? 0 }),
    403,
    'source_forbidden',
    [],
  ],
  [
    'a foreign tid without data: whose it is counts first',
    () => ({ tid: publisher.buyerTid, export: 'csv', date_from: '2019-01-01', date_to: '2019-01-02' }),
    403,
    'source_forbidden',
    [],
  ],
  ['an unknown grouping', () => ({ groupBy: 'week' }), 422, 'validation_failed', ['groupBy']],
  ['an empty grouping', () => ({ groupBy: '' }), 422, 'validation_failed', ['groupBy']],
  [
    'everything wrong',
    () => ({ tid: 'x', date_from: 'x', date_to: null, groupBy: 'x', export: 'x' }),
    422,
    'validation_failed',
    ['tid', 'date_from', 'date_to', 'groupBy', 'export'],
  ],
];

const ofSearch: Refusal[] = [
  [
    'a key for the XML statistics',
    () => ({ token: publisher.keys.xmlOnly }),
    403,
    'publisher_scope_missing',
    [],
  ],
  ['a sid in words', () => ({ sid: 'all' }), 422, 'validation_failed', ['sid']],
  ['an empty sid', () => ({ sid: '' }), 422, 'validation_failed', ['sid']],
  ['a sid with a sign', () => ({ sid: '-1' }), 422, 'validation_failed', ['sid']],
  ['the sid 0', () => ({ sid: 0 }), 422, 'validation_failed', ['sid']],
  ['an unknown sid', () => ({ sid: 999_999 }), 403, 'source_forbidden', []],
  ['a sid of another publisher', () => ({ sid: publisher.buyerFeed }), 403, 'source_forbidden', []],
  [
    'everything wrong',
    () => ({ sid: 'x', date_from: 'x', date_to: 'x', export: 'x' }),
    422,
    'validation_failed',
    ['date_from', 'date_to', 'sid', 'export'],
  ],
];

const kinds = [
  { kind: 'xml', title: '/xml/stats', table: [...ofBoth, ...ofXml] },
  { kind: 'search', title: '/publisher/search-report', table: [...ofBoth, ...ofSearch] },
] as const;

describe.each(kinds)('$title', ({ kind, title, table }) => {
  test.each(table)('refuses %s', async (_name, parameters, status, code, fields) => {
    const { status: found, body, headers } = await publisher.report(kind, parameters());
    expect({ status: found, code: body.code }).toEqual({ status, code });
    expect((body.errors ?? []).map(({ field }) => field)).toEqual(fields);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get('content-disposition')).toBeNull();
  });

  test('explains what a valid number is', async () => {
    const name = kind === 'xml' ? 'tid' : 'sid';
    const { body } = await publisher.report(kind, { [name]: '-1' });
    expect(body.errors?.map(({ message }) => message)).toEqual([`${name} must be a positive whole number.`]);
  });

  const twice = [
    'token',
    'date_from',
    'date_to',
    'export',
    ...(kind === 'xml' ? ['tid', 'groupBy'] : ['sid']),
  ];
  test.each(twice)('refuses %s given twice, even with the same value', async (name) => {
    const values: Record<string, string | number> = {
      token: publisher.keys.whole,
      date_from: '2026-03-01',
      date_to: '2026-03-07',
      export: 'csv',
      ...(kind === 'xml'
        ? { tid: publisher.tids[0] ?? 0, groupBy: 'day' }
        : { sid: publisher.feeds[0] ?? 0 }),
    };
    const query = Object.entries(values).map(([key, value]) => `${key}=${value}`);
    expect((await publisher.ask(`${title}?${query.join('&')}`)).status).toBe(200);
    const { status, body } = await publisher.ask(`${title}?${query.join('&')}&${name}=${values[name]}`);
    expect(status).toBe(name === 'token' ? 401 : 422);
    expect((body.errors ?? []).map(({ field }) => field)).toEqual(name === 'token' ? [] : [name]);
  });

  test('ignores unknown parameters', async () => {
    const plain = await publisher.report(kind);
    const { status, text } = await publisher.report(kind, { uid: 1, groupby: 'x', limit: 3, 'tid[]': 4 });
    expect({ status, text }).toEqual({ status: 200, text: plain.text });
  });

  test('answers 405 to every other method before it checks the key', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(`http://127.0.0.1:${publisher.service.port}${title}`, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET']);
      await answer.arrayBuffer();
    }
  });
});

test('answers a foreign and an unknown source with identical bytes', async () => {
  const { text: foreignTid } = await publisher.report('xml', { tid: publisher.buyerTid });
  expect(foreignTid).toBe((await publisher.report('xml', { tid: 999_999 })).text);
  const { text: foreignFeed } = await publisher.report('search', { sid: publisher.buyerFeed });
  expect(foreignFeed).toBe((await publisher.report('search', { sid: 999_999 })).text);
});
