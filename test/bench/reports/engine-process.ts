import { ReportParser } from '#core/reports/parse/report-parser.ts';
import { Dataset } from '#core/reports/query/dataset.ts';
import { queryPage } from '#core/reports/query/page.ts';
import type { PageQuestion } from '#core/reports/worker/messages.ts';
import { type Table, splitByDate } from '#core/reports/tables/table.ts';
import { TableAppender } from '#core/reports/tables/append.ts';
import { decodeTable, encodeTable } from '#core/reports/tables/blob.ts';
import { addDays } from '#shared/reports/index.ts';

/** Measurements of the process in milliseconds, and in megabytes of 2^20 bytes. */
export interface EngineFigures {
  answerBytes: number;
  parseCpuMs: number;
  strictMs: number;
  firstPivotMs: number;
  storeMs: number;
  loadMs: number;
  regroup: { p50: number; p95: number };
  sortMs: number;
  searchMs: number;
  excludeMs: number;
  restingMb: number;
  peakMb: number;
}

const rowCount = 1_000_000;
const dayCount = 90;
const firstDay = '2026-08-01';
const chunkRows = 400;
const rounds = 20;
const megabyte = 2 ** 20;
const geos = Array.from({ length: 60 }, (_, at) =>
  String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 3)),
);

let peakBytes = 0;

process.send?.(measure());
process.disconnect();

function measure(): EngineFigures {
  const parsed = parseAll();
  const { table, answerBytes, cpuMs } = parsed;
  const begin = performance.now();
  const dataset = new Dataset({ kind: 'search', current: table, compared: null, shiftDays: 0 });
  queryPage(dataset, question({ levels: ['geo', 'subid'] }));
  const firstPivotMs = parsed.finishMs + performance.now() - begin;
  globalThis.gc?.();
  const restingMb = process.memoryUsage.rss() / megabyte;
  const queries = measureQueries(table);
  return {
    answerBytes,
    parseCpuMs: cpuMs,
    firstPivotMs,
    ...queries,
    ...measureCache(table),
    strictMs: strictCpuMs(),
    restingMb,
    peakMb: peakBytes / megabyte,
  };
}

/** Reads the answer in chunks that are generated on demand, so that the measured memory is the engine's. */
function parseAll(): { table: Table; answerBytes: number; cpuMs: number; finishMs: number } {
  const parser = new ReportParser({ kind: 'search' });
  let cpuMs = 0;
  let finishMs = 0;
  let answerBytes = 0;
  for (const chunk of answerChunks()) {
    answerBytes += chunk.length;
    cpuMs += cpuOf(() => parser.push(chunk));
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }
  const begin = performance.now();
  let table: Table | undefined;
  cpuMs += cpuOf(() => (table = parser.finish()));
  finishMs = performance.now() - begin;
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  if (table?.rowCount !== rowCount) throw new Error(`${table?.rowCount} rows were read`);
  return { table, answerBytes: answerBytes / megabyte, cpuMs, finishMs };
}

function measureQueries(table: Table) {
  const regroup: number[] = [];
  const sort: number[] = [];
  const search: number[] = [];
  const exclude: number[] = [];
  const levels = [
    ['subid', 'geo'],
    ['geo', 'feed'],
    ['feed', 'date'],
    ['date', 'geo'],
  ];
  for (let round = 0; round < rounds; round += 1) {
    // A new dataset has no cache of the previous round.
    const dataset = new Dataset({ kind: 'search', current: table, compared: null, shiftDays: 0 });
    const timed = (into: number[], asked: Partial<PageQuestion['query']>, expanded: string[][] = []) => {
      const begin = performance.now();
      queryPage(dataset, { ...question(asked), expanded });
      into.push(performance.now() - begin);
    };
    for (const order of levels) timed(regroup, { levels: order });
    timed(regroup, { levels: ['geo', 'subid'] }, [[geos[0] ?? ''], [geos[7] ?? '']]);
    timed(sort, { levels: ['subid'], sort: { column: 'epc', descending: round % 2 === 0 } });
    timed(search, { levels: ['geo', 'subid'], search: `-${round}7` });
    timed(exclude, { levels: ['geo'], excluded: [[{ dimension: 'subid', value: `sub-${round}` }]] });
  }
  const [sortMs, searchMs, excludeMs] = [at(sort, 0.95), at(search, 0.95), at(exclude, 0.95)];
  return { regroup: { p50: at(regroup, 0.5), p95: at(regroup, 0.95) }, sortMs, searchMs, excludeMs };
}

function measureCache(table: Table) {
  let begin = performance.now();
  const blobs = [...splitByDate(table, []).days.values()].map((day) => encodeTable(day()));
  const storeMs = performance.now() - begin;
  begin = performance.now();
  const appender = new TableAppender();
  for (const blob of blobs) appender.add(decodeTable(blob));
  if (appender.finish().rowCount !== rowCount) throw new Error('Rows were lost');
  return { storeMs, loadMs: performance.now() - begin };
}

/** Measures JSON.parse on the same rows, in parts that fit into a string. */
function strictCpuMs(): number {
  let ms = 0;
  for (const chunk of answerChunks()) {
    const text = chunk.toString().replace(/^,/, '').replace(/\]\}$/, '');
    const rows = text.startsWith('{"s') ? text.slice(text.indexOf('[')) : `[${text}`;
    ms += cpuOf(() => JSON.parse(`${rows}]`) as unknown);
  }
  return ms;
}

function* answerChunks(): Generator<Buffer> {
  for (let row = 0; row < rowCount; row += chunkRows) {
    const rows = Array.from({ length: chunkRows }, (_, at) => rowText(row + at)).join(',');
    const begin = row === 0 ? '{"status":"success","message":"Search report","data":[' : ',';
    yield Buffer.from(`${begin}${rows}${row + chunkRows === rowCount ? ']}' : ''}`);
  }
}

function rowText(row: number): string {
  const date = addDays(firstDay, Math.floor((row * dayCount) / rowCount));
  const clicks = 300 + (row % 101);
  const revenue = (16_180_339 + ((row * 7919) % 9_999_991)) / 1e6;
  return JSON.stringify({
    date,
    feed: 900_101 + (row % 4),
    geo: geos[(row * 7) % geos.length],
    subid: `sub-${(row * 7919) % 20_011}`,
    total: String(9_000 + (row % 1_009)),
    monetized: String(5_000 + (row % 77)),
    clicks: String(clicks),
    revenue: revenue.toFixed(6),
    epc: (revenue / clicks).toFixed(6),
    rpm: (revenue / 9).toFixed(6),
  });
}

function question(asked: Partial<PageQuestion['query']>): PageQuestion {
  const range = { from: firstDay, to: addDays(firstDay, dayCount - 1) };
  return {
    query: {
      source: { kind: 'search', sid: null },
      range,
      comparison: 'none',
      includeToday: false,
      levels: ['geo'],
      only: [],
      excluded: [],
      search: '',
      sort: { column: 'revenue', descending: true },
      ...asked,
    },
    expanded: [],
    offset: 0,
    limit: 60,
    range,
    compared: null,
    incompleteDay: null,
  };
}

function cpuOf(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function at(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
