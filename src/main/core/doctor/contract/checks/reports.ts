import { z } from 'zod';
import { xmlDayRowSchema, searchReportRowSchema } from '#shared/contract/index.ts';
import { jsonEqual, type JsonValue } from '#shared/lib/json/json-value.ts';
import { ownWords } from '#shared/lib/sentence.ts';
import { absentId, type CheckContext, checksThatNeed, drift, given, notChecked } from '../check.ts';
import {
  envelopeOf,
  expectCsv,
  expectStatus,
  expectSuccess,
  jsonOf,
  completeWeek,
  listOf,
  longAgo,
  requireSameOrigin,
  expectShape,
  shown,
} from '../expect.ts';

const path = '/xml/stats';

function ask({ publisher, known, nowMs }: CheckContext, query: Record<string, string> = {}) {
  if (known.tid === undefined) throw notChecked`No traffic source (tid) of this key is known.`;
  return publisher.get(path, { tid: String(known.tid), ...completeWeek(nowMs()), ...query });
}

async function dataOf(context: CheckContext, query?: Record<string, string>): Promise<JsonValue[]> {
  return listOf(envelopeOf(await ask(context, query), 'publisher')['data'], 'data');
}

async function rowsOf(context: CheckContext) {
  return expectShape(await dataOf(context, { groupBy: 'day' }), z.array(xmlDayRowSchema), 'data');
}

const readRows = (context: CheckContext) =>
  given(context.once(rowsOf), notChecked`The statistics could not be read.`);

async function someRows(context: CheckContext) {
  const rows = await readRows(context);
  if (rows.length === 0) throw notChecked`There is no traffic in the last days.`;
  return rows;
}

const wrong: readonly [
  id: string,
  title: string,
  query: Record<string, string>,
  statuses: readonly number[],
][] = [
  ['no-day', 'A day that does not exist is 422', { date_from: '2026-02-30' }, [422]],
  ['odd-day', 'A day in another form is 422', { date_to: 'yesterday' }, [422]],
  ['odd-group', 'A grouping that there is not is 422', { groupBy: 'hour' }, [422]],
  ['odd-export', 'An export format that there is not is 422', { export: 'pdf' }, [422]],
  // Both rows of §7.2 apply.
  ['odd-tid', 'A tid that is no number is 422 or 403', { tid: 'abc' }, [422, 403]],
];

/** GET /xml/stats (contract §2.5, §4.2, §7.2). The contract has no list of the account's TIDs. */
export const xmlStatsChecks = checksThatNeed(['publisher'], {
  'xml-stats.shape': {
    clause: '§2.5, §4.2',
    title: 'The XML statistics have the envelope, and every day its numbers',
    run: async (context) => void (await context.once(rowsOf)),
  },
  'xml-stats.days': {
    clause: '§2.5, §4.2',
    title: 'The XML statistics have every day once, and keep to their days, both included',
    async run(context) {
      const { date_from: from, date_to: to } = completeWeek(context.nowMs());
      const days = (await readRows(context)).map(({ date }) => date);
      const stray = days.find((day) => day < from || day > to);
      if (stray !== undefined)
        throw drift`Expected days from ${ownWords(from)} to ${ownWords(to)}; came ${shown(stray)}.`;
      if (new Set(days).size !== days.length) throw drift`Expected every day once; came one of them twice.`;
    },
  },
  'xml-stats.grouping': {
    clause: '§4.2',
    title: 'The XML statistics are grouped by day unless asked otherwise, by geo or by subid',
    async run(context) {
      const rows = (await readRows(context)) as JsonValue;
      if (!jsonEqual(await dataOf(context), rows))
        throw drift`Expected the same as with groupBy=day; came something else.`;
      for (const groupBy of ['geo', 'subid']) await dataOf(context, { groupBy });
    },
  },
  'xml-stats.csv': {
    clause: '§1, §4.2',
    title: 'The XML statistics are exported as a CSV file',
    async run(context) {
      const rows = await someRows(context);
      expectCsv(await ask(context, { export: 'csv' }), rows.length);
    },
  },
  'xml-stats.json': {
    clause: '§1, §4.2',
    title: 'The XML statistics are exported as JSON',
    async run(context) {
      await someRows(context);
      const answer = await ask(context, { export: 'json' });
      expectSuccess(answer, 'publisher');
      jsonOf(answer);
    },
  },
  'xml-stats.empty-export': {
    clause: '§7.2',
    title: 'An export without data is 404',
    run: async (context) =>
      expectStatus(await ask(context, { ...longAgo, export: 'csv' }), [404], 'without data'),
  },
  ...Object.fromEntries(
    wrong.map(([id, title, query, statuses]) => [
      `xml-stats.${id}`,
      {
        clause: '§7.2',
        title,
        run: async (context: CheckContext) =>
          expectStatus(await ask(context, query), statuses, 'to such a query'),
      },
    ]),
  ),
  'xml-stats.foreign': {
    clause: '§5.2, §7.2',
    title: 'A tid that the key may not read is 403',
    async run({ publisher, nowMs }) {
      const answer = await publisher.get(path, { tid: String(absentId), ...completeWeek(nowMs()) });
      expectStatus(answer, [403], 'to a tid that is not the key’s');
    },
  },
  'xml-stats.no-key': {
    clause: '§5.2',
    title: 'The XML statistics need a publisher key in the query',
    needs: [],
    async run({ publisher, nowMs, known }) {
      const query = { tid: String(known.tid ?? absentId), ...completeWeek(nowMs()) };
      expectStatus(
        await publisher.get(path, query, { token: null }),
        [400, 401, 403, 404, 422],
        'without a key',
      );
    },
  },
});

const searchPath = '/publisher/search-report';

/** The contract does not define the errors of this report. */
const refusals = [400, 401, 403, 404, 422];

type SearchReportRow = z.output<typeof searchReportRowSchema>;

async function searchRowsOf(
  { publisher, nowMs }: CheckContext,
  query: Record<string, string> = {},
): Promise<SearchReportRow[]> {
  const answer = await publisher.get(searchPath, { ...completeWeek(nowMs()), ...query });
  return expectShape(envelopeOf(answer, 'publisher')['data'], z.array(searchReportRowSchema), 'data');
}

const lastRows = (context: CheckContext) => searchRowsOf(context);

const readSearchRows = (context: CheckContext) =>
  given(context.once(lastRows), notChecked`The report could not be read.`);

/** GET /publisher/search-report (contract §2.6, §4.2). */
export const searchReportChecks = checksThatNeed(['publisher'], {
  'search-report.shape': {
    clause: '§2.6, §4.2',
    title: 'The Search report has the envelope, and every row its decimal texts',
    run: async (context) => void (await context.once(lastRows)),
  },
  'search-report.range': {
    clause: '§4.2',
    title: 'The Search report keeps to its days, both included',
    async run(context) {
      const { date_from: from, date_to: to } = completeWeek(context.nowMs());
      const stray = (await readSearchRows(context)).find(({ date }) => date < from || date > to);
      if (stray !== undefined)
        throw drift`Expected days from ${ownWords(from)} to ${ownWords(to)}; came ${shown(stray.date)}.`;
    },
  },
  'search-report.feed': {
    clause: '§4.2',
    title: 'A sid finds the rows of its feed, and no others',
    async run(context) {
      const [first] = await readSearchRows(context);
      if (first === undefined) throw notChecked`There is no traffic in the last days.`;
      const rows = await searchRowsOf(context, { sid: String(first.feed) });
      const stray = rows.find(({ feed }) => feed !== first.feed);
      if (stray !== undefined) throw drift`Expected feed ${first.feed} alone; came ${stray.feed}.`;
      if (rows.length === 0) throw drift`Expected rows of feed ${first.feed}; came none.`;
    },
  },
  'search-report.csv': {
    clause: '§4.2',
    title: 'The Search report is exported as a CSV file',
    async run(context) {
      const rows = await readSearchRows(context);
      if (rows.length === 0) throw notChecked`There is no traffic in the last days.`;
      const query = { ...completeWeek(context.nowMs()), export: 'csv' };
      expectCsv(await context.publisher.get(searchPath, query), rows.length);
    },
  },
  'search-report.json': {
    clause: '§1, §4.2',
    title: 'The Search report is exported as JSON',
    async run(context) {
      if ((await readSearchRows(context)).length === 0)
        throw notChecked`There is no traffic in the last days.`;
      const answer = await context.publisher.get(searchPath, {
        ...completeWeek(context.nowMs()),
        export: 'json',
      });
      expectSuccess(answer, 'publisher');
      jsonOf(answer);
    },
  },
  'search-report.no-key': {
    clause: '§5.2',
    title: 'The Search report needs a publisher key in the query',
    needs: [],
    async run({ publisher, nowMs }) {
      const answer = await publisher.get(searchPath, completeWeek(nowMs()), { token: null });
      expectStatus(answer, refusals, 'without a key');
    },
  },
  'search-report.member-token': {
    clause: '§5.2',
    title: 'The Search report takes no member token in the place of a key',
    needs: ['member'],
    async run({ publisher, nowMs, addresses, credentials }) {
      requireSameOrigin(addresses.baseUrl, addresses.apiUrl, 'member');
      // Sent in a header: a member token must never be part of an address.
      const bearer = credentials.memberToken ?? '';
      const answer = await publisher.get(searchPath, completeWeek(nowMs()), { token: null, bearer });
      expectStatus(answer, refusals, 'to a member token');
    },
  },
});
