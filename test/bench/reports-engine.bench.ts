import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EngineFigures } from './reports/engine-process.ts';

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string | null;
}

/** Measures the report engine over 1,000,000 Search rows in a process of its own, so that its memory can be measured alone. */
export async function run(): Promise<Figure[]> {
  const child = fork(new URL('./reports/engine-process.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  const [figures] = (await once(child, 'message')) as [EngineFigures];
  await once(child, 'exit');
  const ms = (name: string, figure: number, aim: string | null = null): Figure => ({
    name,
    figure,
    unit: 'ms',
    aim,
  });
  const mb = (name: string, figure: number, aim: string | null = null): Figure => ({
    name,
    figure,
    unit: 'MB',
    aim,
  });
  const {
    answerBytes,
    parseCpuMs,
    strictMs,
    firstPivotMs,
    storeMs,
    loadMs,
    regroup,
    sortMs,
    searchMs,
    excludeMs,
  } = figures;
  return [
    mb('Search report of 1,000,000 rows', answerBytes),
    ms('parse it, processor time', parseCpuMs, 'under 3,000'),
    ms('JSON.parse of the same text, processor time', strictMs),
    ms('last byte to first pivot', firstPivotMs, 'under 2,000'),
    ms('split by days and encode for the cache', storeMs),
    ms('decode 90 days from the cache into one table', loadMs),
    ms('regroup 1,000,000 rows, p50', regroup.p50),
    ms('regroup 1,000,000 rows, p95', regroup.p95, 'under 200'),
    ms('sort 20,000 sub-ids by a ratio, p95', sortMs, 'under 200'),
    ms('search 20,000 sub-ids, p95', searchMs, 'under 200'),
    ms('exclude a sub-id, all sums anew, p95', excludeMs, 'under 200'),
    mb('memory of the process after a pivot', figures.restingMb),
    mb('most memory while the answer is read', figures.peakMb, 'under 400'),
  ];
}
