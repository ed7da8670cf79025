import { measureLargeAccount } from './backend/large-account.ts';
import { type LargeStart, measureLargeStart } from './backend/large-start.ts';
import { measureThroughput } from './backend/throughput.ts';

/** Compares the embedded service with a bare HTTP server, and measures its campaign list at 100,000 campaigns. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const { service, bare, ratio } = await measureThroughput();
  const large = await measureLargeAccount();
  const starts = await measureLargeStart();
  return [
    { name: 'list of 20 at 400 campaigns, the service', figure: service, unit: 'requests/s', aim: '–' },
    { name: 'list of 20 at 400 campaigns, bare node:http', figure: bare, unit: 'requests/s', aim: '–' },
    { name: 'the service against bare node:http', figure: ratio, unit: 'of it', aim: 'above 1' },
    ...large.flatMap(({ question, median, p99 }) => [
      { name: `100,000 campaigns over HTTP: ${question}`, figure: median, unit: 'ms', aim: '–' },
      {
        name: `100,000 campaigns over HTTP: ${question}, p99`,
        figure: p99,
        unit: 'ms',
        aim: question.includes('two letters') ? 'under 25' : 'under 10',
      },
    ]),
    ...(starts === null ? [] : startFigures(starts)),
  ];
}

function startFigures(starts: LargeStart) {
  const { firstStart, start, firstList, filteredList, residentMb, smallStart } = starts;
  const timed = [
    { name: 'first start with 100,000 campaigns', times: firstStart, aim: 'under 8,000' },
    { name: 'start with 100,000 campaigns', times: start, aim: 'as with 400' },
    { name: 'start with 400 campaigns', times: smallStart, aim: '–' },
    { name: 'first list after a start with 100,000', times: firstList, aim: 'under 300' },
    { name: 'first list by status, after it', times: filteredList, aim: '–' },
  ];
  return [
    ...timed.flatMap(({ name, times: { wallMs, cpuMs }, aim }) => [
      { name, figure: wallMs, unit: 'ms', aim },
      { name: `${name}, processor time`, figure: cpuMs, unit: 'ms', aim: '–' },
    ]),
    { name: 'memory after the first list of 100,000', figure: residentMb, unit: 'MB', aim: 'under 200' },
  ];
}
