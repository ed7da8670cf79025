import { measureLargeAccount } from './backend/large-account.ts';
import { measureThroughput } from './backend/throughput.ts';

/** Compares the embedded service with a bare HTTP server, and measures its campaign list at 100,000 campaigns. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const { service, bare, ratio } = await measureThroughput();
  const large = await measureLargeAccount();
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
  ];
}
