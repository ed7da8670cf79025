import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStatistics, searchDays, tid, year } from './reports/fill.ts';
import { serve } from './reports/serve.ts';
import type { Served } from './reports/serve.ts';

const timesEach = 60;
const megabyte = 2 ** 20;

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string;
}

/**
 * Measures a year of statistics over a million rows (ten million with `--ten-million`), and the export of a million searches.
 */
export async function run(): Promise<Figure[]> {
  const xmlRows = process.argv.includes('--ten-million') ? 10_000_000 : 1_000_000;
  const folder = await mkdtemp(join(tmpdir(), 'countersign-reports-'));
  const file = join(folder, 'backend.sqlite');
  try {
    const made = await serve(file);
    await made.end();
    await fillStatistics(file, { uid: made.uid, xmlRows });
    const served = await serve(file);
    const figures = [...(await measureYear(served, xmlRows)), ...(await measureExport(served))];
    await served.end();
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the time over HTTP until the client has parsed the JSON. */
async function measureYear(served: Served, xmlRows: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const groupBy of ['day', 'geo', 'subid']) {
    const times: number[] = [];
    for (let time = -3; time < timesEach; time += 1) {
      const start = performance.now();
      const { from, to } = year;
      const address = served.addressOf('/xml/stats', { tid, date_from: from, date_to: to, groupBy });
      const answer = await fetch(address);
      const { data } = (await answer.json()) as { data: unknown[] };
      if (data.length < 50) throw new Error(`${groupBy}: ${answer.status}, ${data.length} rows`);
      // The first rounds fill the caches and do not count.
      if (time >= 0) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
    const name = `a year by ${groupBy} over ${xmlRows.toLocaleString('en')} rows`;
    const aim = groupBy === 'day' ? 'under 50' : '–';
    figures.push(
      { name, figure: at(0.5), unit: 'ms', aim },
      { name: `${name}, p99`, figure: at(0.99), unit: 'ms', aim },
    );
  }
  return figures;
}

/** Downloads the Search report as CSV as fast as the service sends it. */
async function measureExport(served: Served): Promise<Figure[]> {
  const range = { date_from: year.from, date_to: year.to, export: 'csv' };
  const before = await served.watch();
  const start = performance.now();
  const answer = await fetch(served.addressOf('/publisher/search-report', range));
  let bytes = 0;
  let lines = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  const peak = await served.peak();
  if (lines !== searchDays * 4 * 20 * 50 + 1) throw new Error(`The export has ${lines} lines`);
  const name = 'CSV export of 1,000,000 searches';
  return [
    { name, figure: bytes / megabyte / seconds, unit: 'MB/s', aim: '–' },
    { name: `${name}, most memory`, figure: peak / megabyte, unit: 'MB', aim: '–' },
    {
      name: `${name}, memory that came with it`,
      figure: (peak - before) / megabyte,
      unit: 'MB',
      aim: 'under 150',
    },
  ];
}
