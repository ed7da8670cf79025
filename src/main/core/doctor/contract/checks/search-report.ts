import { z } from 'zod';
import { searchReportRowSchema } from '#shared/contract/index.ts';
import { type CheckContext, type ContractCheck } from '../check.ts';
import { requireSameOrigin } from '../ask.ts';
import {
  drift,
  envelopeOf,
  expectCsv,
  expectStatus,
  expectSuccess,
  jsonOf,
  lastDays,
  shaped,
  shown,
} from '../expect.ts';
import { given, NotChecked } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';

const path = '/publisher/search-report';

/** Any refusal: the contract does not show the errors of this report. */
const refusals = [400, 401, 403, 404, 422];

type SearchReportRow = z.output<typeof searchReportRowSchema>;

async function rowsOf(
  { publisher, nowMs }: CheckContext,
  formats: Formats,
  query: Record<string, string> = {},
): Promise<SearchReportRow[]> {
  const answer = await publisher.get(path, { ...lastDays(nowMs()), ...query });
  return shaped(envelopeOf(answer, 'publisher', formats)['data'], z.array(searchReportRowSchema), 'data');
}

const lastRows = (context: CheckContext, formats: Formats) => rowsOf(context, formats);

const readRows = (context: CheckContext) => given(context.once(lastRows), 'The report could not be read.');

/** GET /publisher/search-report (contract §2.6, §4.2). */
export const searchReportChecks: readonly ContractCheck[] = [
  {
    id: 'search-report.shape',
    clause: '§2.6, §4.2',
    title: 'The Search report has the envelope, and every row its decimal texts',
    needs: ['publisher'],
    run: async (context) => void (await context.once(lastRows)),
  },
  {
    id: 'search-report.range',
    clause: '§4.2',
    title: 'The Search report keeps to its days, both included',
    needs: ['publisher'],
    async run(context, formats: Formats) {
      const { date_from: from, date_to: to } = lastDays(context.nowMs());
      const stray = (await readRows(context)).find(({ date }) => date < from || date > to);
      if (stray !== undefined) drift(`days from ${from} to ${to}`, shown(stray.date, formats));
    },
  },
  {
    id: 'search-report.feed',
    clause: '§4.2',
    title: 'A sid finds the rows of its feed, and no others',
    needs: ['publisher'],
    async run(context, formats: Formats) {
      const [first] = await readRows(context);
      if (first === undefined) throw new NotChecked('There is no traffic in the last days.');
      const rows = await rowsOf(context, formats, { sid: String(first.feed) });
      const stray = rows.find(({ feed }) => feed !== first.feed);
      if (stray !== undefined) drift(`feed ${first.feed} alone`, String(stray.feed));
      if (rows.length === 0) drift(`rows of feed ${first.feed}`, 'none');
    },
  },
  {
    id: 'search-report.csv',
    clause: '§4.2',
    title: 'The Search report is exported as a CSV file',
    needs: ['publisher'],
    async run(context) {
      const rows = await readRows(context);
      if (rows.length === 0) throw new NotChecked('There is no traffic in the last days.');
      const query = { ...lastDays(context.nowMs()), export: 'csv' };
      expectCsv(await context.publisher.get(path, query), rows.length);
    },
  },
  {
    id: 'search-report.json',
    clause: '§1, §4.2',
    title: 'The Search report is exported as JSON',
    needs: ['publisher'],
    async run(context) {
      if ((await readRows(context)).length === 0)
        throw new NotChecked('There is no traffic in the last days.');
      const answer = await context.publisher.get(path, { ...lastDays(context.nowMs()), export: 'json' });
      expectSuccess(answer, 'publisher');
      jsonOf(answer);
    },
  },
  {
    id: 'search-report.no-key',
    clause: '§5.2',
    title: 'The Search report needs a publisher key in the query',
    needs: [],
    async run({ publisher, nowMs }) {
      const answer = await publisher.get(path, lastDays(nowMs()), { token: null });
      expectStatus(answer, refusals, 'without a key');
    },
  },
  {
    id: 'search-report.member-token',
    clause: '§5.2',
    title: 'The Search report takes no member token in the place of a key',
    needs: ['member'],
    async run({ publisher, nowMs, addresses, credentials }) {
      requireSameOrigin(addresses.baseUrl, addresses.apiUrl, 'member token');
      // Sent in a header: a member token is never part of an address.
      const bearer = credentials.memberToken ?? '';
      const answer = await publisher.get(path, lastDays(nowMs()), { token: null, bearer });
      expectStatus(answer, refusals, 'to a member token');
    },
  },
];
