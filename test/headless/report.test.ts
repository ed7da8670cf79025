import { parse } from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '#headless/cli/commands/report.ts';
import type { Console } from '#headless/cli/console.ts';
import { printReport } from '#headless/cli/print-report.ts';
import type { ReportOptions } from '#headless/cli/report-options.ts';
import { createStyle } from '#headless/terminal/style.ts';
import { addDays } from '#shared/reports/index.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { startPublisherService } from '#test/core/reports/publisher-service.ts';
import { has } from '#test/servers/abilities.ts';
import { countersign, countersignOnTerminal, run } from './process.ts';

interface Printed {
  rows: { geo?: string; subid?: string | null; values: Record<string, string | null> }[];
  totals: Record<string, string | null>;
  compared: { from: string; to: string } | null;
}

let service: RunningBackend;
let url: string;
let key: string;
beforeAll(async () => {
  service = await startBackend({ campaigns: 3 });
  url = `http://127.0.0.1:${service.port}`;
  key = service.credentials.accounts.publisher.publisherKeys[0]?.key ?? '';
});
afterAll(() => service.dispose());

const today = new Date().toISOString().slice(0, 10);
const last7 = { date_from: addDays(today, -7), date_to: addDays(today, -1) };

async function rowsOfService<Row>(path: string, parameters: Record<string, string>): Promise<Row[]> {
  const query = new URLSearchParams({ token: key, ...last7, ...parameters });
  const answer = await fetch(`${url}${path}?${query.toString()}`);
  return ((await answer.json()) as { data: Row[] }).data;
}

const millionths = (text: string | null | undefined): bigint => {
  const [whole = '', fraction = ''] = (text ?? '').split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};

function consoleOf(out: Console['out']): Console {
  return {
    input: process.stdin,
    interactive: false,
    toTerminal: false,
    style: createStyle(false),
    out,
    print: out,
    err: out,
  };
}

/** Runs the command in this process, with a console that records its output. */
async function reportHere(options: Partial<ReportOptions>): Promise<{ code: number; text: string }> {
  const said: string[] = [];
  const console = consoleOf((line = '') => void said.push(line));
  const usual: ReportOptions = { group: 'date', compare: 'none', format: 'table', zone: 'UTC' };
  const code = await report(url, { ...usual, ...options }, console);
  return { code, text: said.join('\n') };
}

describe('countersign report', () => {
  test('prints Demo’s Search report by country as JSON, exactly as the service’s rows add up', async () => {
    const running = countersign(['report', '--group', 'geo', '--compare', 'previous', '--format', 'json']);
    expect(await running.ended).toBe(0);
    const printed = JSON.parse(running.answer()) as Printed;
    const rows = await rowsOfService<{ geo: string; clicks: string; revenue: string }>(
      '/publisher/search-report',
      {},
    );
    const sum = (of: typeof rows, name: 'clicks' | 'revenue'): bigint =>
      of.reduce((total, row) => total + millionths(row[name]), 0n);
    expect(millionths(printed.totals['revenue'])).toBe(sum(rows, 'revenue'));
    expect(printed.rows.length).toBeGreaterThan(5);
    for (const { geo, values } of printed.rows) {
      const own = rows.filter((row) => row.geo === geo);
      expect(millionths(values['clicks'])).toBe(sum(own, 'clicks'));
      expect(millionths(values['revenue'])).toBe(sum(own, 'revenue'));
    }
    expect(printed.compared).toEqual({ from: addDays(today, -14), to: addDays(today, -8) });
  });

  test('names an unknown dimension and the available ones', async () => {
    const running = countersign(['report', '--range', 'yesterday', '--group', 'date,foo']);
    expect(await running.ended).toBe(2);
    expect(running.text()).toContain(
      '--group: this report has no foo. Its dimensions are date, geo, feed, subid.',
    );
    expect(running.answer()).toBe('');
  });

  test('prints a service’s XML traffic by sub-id as CSV, safe for spreadsheets and exact', async () => {
    const tid = String(service.credentials.accounts.publisher.publisherKeys[0]?.tids[1]);
    const args = ['report', url, '--tid', tid, '--group', 'subid', '--format', 'csv'];
    const running = countersign(args, { COUNTERSIGN_PUBLISHER_KEY: key });
    expect(await running.ended).toBe(0);
    const lines = running.answer();
    expect(lines.endsWith('\r\n')).toBe(true);
    const { data } = parse<Record<string, string>>(lines, { header: true, skipEmptyLines: true });
    const rows = await rowsOfService<{ subid: string; gross_clicks: number; gross_revenue: number }>(
      '/xml/stats',
      { tid, groupBy: 'subid' },
    );
    expect(data).toHaveLength(rows.length);
    for (const row of rows) {
      const found = data.find((line) => line['Sub-ID']?.replace(/^'/, '') === row.subid);
      expect(found?.['Gross clicks']).toBe(String(row.gross_clicks));
      expect(millionths(found?.['Gross revenue'])).toBe(millionths(row.gross_revenue.toFixed(6)));
    }
    expect(lines).toMatch(/'[=@+]/);
    expect(running.text()).not.toContain(key);
  });

  test.runIf(has.linux)(
    'shows escape codes of untrusted text instead of sending them to the terminal',
    async () => {
      const hostile = await startPublisherService();
      const subid = '\u001b]0;owned\u0007\u001b[2J\u009b31m‮evil';
      hostile.script = (_asked, response) => {
        const texts = { total: '4', monetized: '2', clicks: '1', revenue: '0.5', epc: '0', rpm: '0' };
        const row = { date: addDays(today, -1), feed: 1, geo: 'DE', subid, ...texts };
        response.end(JSON.stringify({ status: 'success', message: '', data: [row] }));
        return true;
      };
      for (const format of ['table', 'csv', 'json']) {
        const args = [
          'report',
          hostile.apiUrl,
          '--group',
          'subid',
          '--range',
          'yesterday',
          '--format',
          format,
        ];
        const running = countersignOnTerminal(args, { COUNTERSIGN_PUBLISHER_KEY: 'pk_x', NO_COLOR: '1' });
        expect(await running.ended).toBe(0);
        expect(running.text()).toContain('owned');
        for (const control of ['\u001b', '\u0007', '\u009b', '‮'])
          expect(running.text()).not.toContain(control);
      }
      const file = countersign(
        ['report', hostile.apiUrl, '--group', 'subid', '--range', 'yesterday', '--format', 'json'],
        {
          COUNTERSIGN_PUBLISHER_KEY: 'pk_x',
        },
      );
      await file.ended;
      expect((JSON.parse(file.answer()) as Printed).rows[0]?.subid).toBe(subid);
    },
  );

  test.each([
    ['table', { from: '2026-11-21', to: '2026-11-21' }, 'out', 'left out of totals'],
    ['table', { from: '2026-11-21', to: '2026-11-22' }, 'out', 'counted in totals'],
    ['csv', { from: '2026-11-21', to: '2026-11-21' }, 'err', 'left out of totals'],
    ['csv', { from: '2026-11-21', to: '2026-11-22' }, 'err', 'counted in totals'],
  ] as const)('states in a %s that a day is incomplete', (format, counted, where, words) => {
    const printed = { out: '', err: '' };
    const to = (stream: 'out' | 'err') => (line?: string) => void (printed[stream] += `${line ?? ''}\n`);
    const console = { ...consoleOf(to('out')), err: to('err') };
    const nothing = { columns: [], dimensions: ['date'], rows: [], totals: [], days: [], comparedDays: [] };
    const report = {
      ...nothing,
      range: { from: '2026-11-21', to: '2026-11-22' },
      counted,
      compared: null,
      comparedTotals: null,
      incompleteDay: '2026-11-22',
      zone: 'UTC',
      readAtMs: 1,
    };
    const source = { kind: 'search', sid: null } as const;
    printReport({ report, service: 'Demo', source, levels: ['date'] }, format, console);
    expect(printed[where]).toContain(`2026-11-22 is incomplete: ${words}`);
    // Programs parse the answer: its first line has the names of the columns.
    if (format === 'csv') expect(printed.out).toBe('Day\r\n');
  });

  test('refuses a key on the command line and does not repeat it', async () => {
    const { code, text } = await run(['report', url, '--key', 'pk_secret']);
    expect(code).toBe(2);
    expect(text).toMatch(/Other users can read a key.*COUNTERSIGN_PUBLISHER_KEY/);
    expect(text).not.toContain('pk_secret');
  });

  test.each<[string, Partial<ReportOptions>, RegExp]>([
    ['no key in the environment', {}, /COUNTERSIGN_PUBLISHER_KEY/],
    ['XML traffic without its source', { report: 'xml' }, /--tid/],
    ['a source of Search', { report: 'search', tid: 7 }, /--tid/],
    ['half a range', { from: '2026-11-01' }, /--to/],
    [
      'a range given both by name and by days',
      { range: 'last7', from: '2026-11-01', to: '2026-11-02' },
      /--range/,
    ],
    ['a range from its end', { from: '2026-11-02', to: '2026-11-01' }, /--to/],
    ['no day', { from: '2026-02-30', to: '2026-03-01' }, /--from/],
    ['XML traffic by two dimensions', { tid: 7, group: 'date,geo' }, /--group/],
    ['a dimension twice', { group: 'geo,geo' }, /--group/],
    ['no time zone', { zone: 'Mars/Olympus' }, /--zone/],
  ])('explains a usage error and exits with 2: %s', async (_name, options, words) => {
    const { code, text } = await reportHere(options);
    expect(code).toBe(2);
    expect(text).toMatch(words);
  });

  test('prints JSON with --json', async () => {
    const { code, text } = await run(['report', url, '--json'], { COUNTERSIGN_PUBLISHER_KEY: key });
    expect(code).toBe(0);
    expect(JSON.parse(text)).toHaveProperty('rows');
  });

  test.each<[what: string, status: number, body: string, line: RegExp, remedy: RegExp]>([
    [
      'an unknown key',
      401,
      '{"status":"error","message":"No"}',
      /publisher key is missing, unknown or revoked/,
      /COUNTERSIGN_PUBLISHER_KEY/,
    ],
    ['a web page', 200, '<!doctype html><p>Sign in', /A web page came in place/, /address/],
    [
      'an error in place of the data',
      200,
      '{"status":"error","message":"Under maintenance"}',
      /an error in place of the data\. The service says: “Under maintenance”/,
      /^Try again\..*operator of the service\.$/,
    ],
    ['no JSON', 200, 'Hello', /not the answer that the contract describes/, /^Try again\./],
    ['too many requests', 429, '{}', /takes no more requests for now/, /^Wait a moment, then try again\.$/],
    ['no readiness', 501, '{}', /./, /./],
  ])('explains problems as the doctor does: %s', async (_what, status, body, line, remedy) => {
    const other = await startPublisherService();
    other.script = async (_asked, response) => {
      response.writeHead(status).end(body);
      return true;
    };
    const { code, text } = await run(['report', other.apiUrl], { COUNTERSIGN_PUBLISHER_KEY: 'pk_x' });
    const [first = '', second = '', rest] = text.split('\n');
    expect(code).toBe(1);
    expect(first).toMatch(/^countersign: /);
    expect(first).toMatch(line);
    expect(second).toMatch(remedy);
    expect(rest).toBe('');
  });

  test.each([
    ['an unknown host name', 'https://nowhere.invalid', /name in “https:\/\/nowhere\.invalid” is not known/],
    ['a closed port', 'http://127.0.0.1:59', /Nothing listens at “http:\/\/127\.0\.0\.1:59”\./],
  ])('names the party that did not answer: %s', async (_what, address, words) => {
    const { code, text } = await run(['report', address], { COUNTERSIGN_PUBLISHER_KEY: 'pk_x' });
    expect(code).toBe(1);
    expect(text).toMatch(words);
  });

  test('reports a refusal by the service with a remedy and exits with 1', async () => {
    const wrong = await run(['report', url], { COUNTERSIGN_PUBLISHER_KEY: 'pk_nobody-knows-this' });
    expect(wrong.code).toBe(1);
    expect(wrong.text).toContain('The publisher key is missing, unknown or revoked.');
    expect(wrong.text).not.toContain('pk_nobody-knows-this');
    const foreign = await run(['report', url, '--tid', '999'], { COUNTERSIGN_PUBLISHER_KEY: key });
    expect(foreign.code).toBe(1);
  });
});
