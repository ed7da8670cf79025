import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportWorker } from '#core/reports/index.ts';
import { createDaySumsReader } from '#core/reports/load/day-sums.ts';
import type { DaySumsRequest } from '#core/reports/notes/figures.ts';
import { createReportWorld, refuse, startWorker, type Script } from './publisher-service.ts';

let worker: ReportWorker;
beforeAll(() => {
  worker = startWorker();
});
afterAll(() => worker.dispose());

/** A range of days that takes four requests. */
const range = { from: '2026-08-01', to: '2026-11-21' };

const breakOff: Script = (_asked, response) => {
  response.destroy();
  return true;
};

const breakOffLater: Script = (_asked, response) => {
  response.writeHead(200).write('{"status":"success",', () => response.destroy());
  return true;
};

test.each<[what: string, script: Script | null, max: number, ending: true | false | string]>([
  ['answers', null, 10, true],
  ['answers, with fewer requests left', null, 2, false],
  ['has no data', (_asked, response) => refuse(response, 404), 10, true],
  ['refuses', (_asked, response) => refuse(response, 500), 10, 'service_failed'],
  ['asks for a pause', (_asked, response) => refuse(response, 429), 10, 'rate_limited'],
  ['breaks every connection', breakOff, 10, 'service_unreachable'],
  ['breaks every answer off', breakOffLater, 2, 'service_unreachable'],
])(
  'if the service %s, every request is counted, sent once and within the limit, and complete days are up to date',
  async (_what, script, max, ending) => {
    const { service, active, reader } = await createReportWorld({ worker });
    service.script = script;
    const figures = createDaySumsReader({ reader, worker });
    const ask: DaySumsRequest = {
      profileId: active.id,
      source: { kind: 'xml', tid: 7301 },
      only: null,
      range,
    };
    let reported = 0;
    const reading = figures.read(ask, {
      max,
      onRequest: () => (reported += 1),
      signal: new AbortController().signal,
    });
    expect(await reading.catch((error: { code: string }) => error.code)).toBe(ending);
    expect((await figures.sumsOf(ask)).isUpToDate).toBe(ending === true);
    expect(reported).toBeGreaterThan(0);
    expect(reported).toBeLessThanOrEqual(max);
    expect(service.asked).toHaveLength(reported);
  },
);
