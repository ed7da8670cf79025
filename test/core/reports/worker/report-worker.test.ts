import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createReportWorker, type ReportWorker } from '#core/reports/index.ts';
import type { ReportShape } from '#core/reports/worker/messages.ts';
import type { ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import { failureOf } from '#test/core/service-client/failure-of.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const scope: ReportScope = { profile: 'p1', keyHash: 'k1', report: 'xml', source: 7 };
const day = (date: string): SliceAddress => ({ grouping: 'day', from: date, to: date });
const days = [day('2026-11-01'), day('2026-11-02')];

function start(file: string | null, profiles: string[] | null = null): ReportWorker {
  const worker = createReportWorker({ start: () => ({ file, maxCacheBytes: 1e6, profiles }), logger });
  onTestFinished(() => worker.dispose());
  return worker;
}

const row = { gross_requests: 5, gross_clicks: 2, gross_valid: 1, gross_invalid: 1, gross_revenue: 0.5 };
const answerOf = (...dates: string[]): Uint8Array<ArrayBuffer> => {
  const data = dates.map((date) => ({ date, ...row, net_requests: 4, net_clicks: 1, net_revenue: 0.25 }));
  return new Uint8Array(Buffer.from(JSON.stringify({ status: 'success', message: '', data })));
};

async function give(worker: ReportWorker, bytes: Uint8Array<ArrayBuffer>, answer = 1): Promise<void> {
  await worker.ask('beginAnswer', { answer, shape: { kind: 'xml', groupBy: 'day' } });
  await worker.ask('readBytes', { answer, bytes }, [bytes.buffer]);
  await worker.ask('endAnswer', { answer, scope, slices: days, readAtMs: 50 });
}

test('an answer becomes one slice for each day, including days without rows, and survives a restart', async () => {
  const file = join(tempFolder(), 'reports.sqlite');
  const first = start(file);
  const bytes = answerOf('2026-11-01');
  await give(first, bytes);
  // The buffer was transferred to the worker, not copied.
  expect(bytes.byteLength).toBe(0);
  expectMode(file, 0o600);
  await first.dispose();
  const second = start(file);
  expect(await second.ask('readTimes', { scope, slices: [...days, day('2026-11-03')] })).toEqual([
    50,
    50,
    null,
  ]);
});

test('an unreadable answer stores nothing, and the next answer is read', async () => {
  const worker = start(null);
  const broken = new Uint8Array(Buffer.from('{"status":"success","message":"","data":[{"date":12'));
  expect((await failureOf(give(worker, broken))).code).toBe('service_answer_unreadable');
  await worker.ask('dropAnswer', { answer: 1 });
  expect(await worker.ask('readTimes', { scope, slices: days })).toEqual([null, null]);
  await give(worker, answerOf('2026-11-02'), 2);
  expect(await worker.ask('readTimes', { scope, slices: days })).toEqual([50, 50]);
});

const searchRow = { feed: 1, geo: 'US', subid: '', total: '5', monetized: '1', clicks: '1', revenue: '1.5' };
const date = '2026-11-01';

test.each<[what: string, shape: ReportShape, rows: object[], message: string | null]>([
  [
    'null',
    { kind: 'search' },
    [
      { date, ...searchRow },
      { date: null, ...searchRow },
    ],
    'Row 2, field “date”: it is missing.',
  ],
  ['absent', { kind: 'search' }, [{ date, ...searchRow }, searchRow], 'Row 2, field “date”: it is missing.'],
  [
    'absent everywhere',
    { kind: 'xml', groupBy: 'day' },
    [{ gross_clicks: 1 }],
    'Row 1, field “date”: it is missing.',
  ],
  ['absent by country', { kind: 'xml', groupBy: 'geo' }, [{ geo: 'US', gross_clicks: 1 }], null],
  ['null by sub-id', { kind: 'xml', groupBy: 'subid' }, [{ date: null, subid: 'a', gross_clicks: 1 }], null],
  ['missing, in an answer without rows', { kind: 'search' }, [], null],
])('a date that is %s is refused only in a report by day', async (_what, shape, rows, message) => {
  const worker = start(null);
  const address = { grouping: shape.kind === 'search' ? ('feed' as const) : shape.groupBy, from: date };
  const slices = [{ ...address, to: date }];
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ status: 'success', message: '', data: rows })));
  await worker.ask('beginAnswer', { answer: 1, shape });
  await worker.ask('readBytes', { answer: 1, bytes });
  const ended = worker.ask('endAnswer', { answer: 1, scope, slices, readAtMs: 50 });
  if (message === null) await ended;
  else expect(await failureOf(ended)).toMatchObject({ code: 'service_answer_unreadable', message });
  expect(await worker.ask('readTimes', { scope, slices })).toEqual([message === null ? 50 : null]);
});

test('data of a profile is deleted immediately, and of removed profiles at the next start', async () => {
  const file = join(tempFolder(), 'reports.sqlite');
  const first = start(file);
  await give(first, answerOf('2026-11-01'));
  first.forget('p1', 'k1');
  expect(await first.ask('readTimes', { scope, slices: days })).toEqual([50, 50]);
  first.forget('p1');
  expect(first.forgotten('p1')).toBe(2);
  expect(await first.ask('readTimes', { scope, slices: days })).toEqual([null, null]);
  await give(first, answerOf('2026-11-01'));
  await first.dispose();
  const second = start(file, ['demo']);
  expect(await second.ask('readTimes', { scope, slices: days })).toEqual([null, null]);
});

test('a crashed worker fails its requests without details, and the next request starts a new worker', async () => {
  const logged: string[] = [];
  const worker = createReportWorker({
    start: () => ({ file: null, maxCacheBytes: 1, profiles: null }),
    logger: { ...logger, error: (_facts, text) => void logged.push(text) },
    address: new URL('crashing-worker.ts', import.meta.url),
  });
  onTestFinished(() => worker.dispose());
  const sources = { profile: 'p1', keyHash: 'k1' };
  const crashing = [worker.ask('useSource', { scope }), worker.ask('sources', sources)];
  for (const failure of await Promise.all(crashing.map(failureOf))) {
    expect(failure).toMatchObject({ code: 'report_worker_failed', cause: undefined });
    expect(failure.message).not.toContain('private');
  }
  expect(logged).toEqual(['The report worker crashed']);
  expect(await worker.ask('sources', sources)).toEqual({ tids: [1], sids: [] });
});

test('a worker that was ended accepts no requests', async () => {
  const worker = start(null);
  const sources = worker.ask('sources', { profile: 'p1', keyHash: 'k1' });
  await worker.dispose();
  expect(await sources).toEqual({ tids: [], sids: [] });
  const late = worker.ask('sources', { profile: 'p1', keyHash: 'k1' });
  expect((await failureOf(late)).code).toBe('shutting_down');
});
