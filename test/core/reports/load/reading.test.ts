import { expect, test } from 'vitest';
import { createLimiter, startReading } from '#core/reports/load/reading.ts';
import type { ReportWorker } from '#core/reports/worker/report-worker-client.ts';
import type { ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import type { SliceRequest } from '#core/reports/load/plan.ts';
import { AppError } from '#shared/errors/index.ts';
import { addDays } from '#shared/reports/index.ts';

const scope: ReportScope = { profile: 'p', keyHash: 'k', report: 'search', source: 0 };
const slice: SliceAddress = { grouping: 'feed', from: '2026-11-01', to: '2026-11-01' };
const kilobyte = 1024;

/** A read of these chunks, with a worker that answers when the test allows it. */
function reading(chunks: AsyncIterable<Uint8Array>) {
  const waiting: (() => void)[] = [];
  const messages: Uint8Array[] = [];
  const other: string[] = [];
  const ask = (kind: string, { bytes }: { bytes?: Uint8Array }): Promise<null> => {
    if (bytes === undefined) other.push(kind);
    if (bytes === undefined) return Promise.resolve(null);
    messages.push(bytes);
    return new Promise((resolve) => waiting.push(() => resolve(null)));
  };
  const started = startReading(
    { scope, requests: [{ ...slice, slices: [slice] }] },
    {
      worker: { ask } as unknown as ReportWorker,
      client: { open: async () => ({ chunks, conceal: (text) => text, close() {} }) },
      limiter: createLimiter(1),
      nextAnswerId: () => 1,
      nowMs: () => 0,
      isCurrent: () => true,
      onProgress() {},
    },
  );
  const answerAll = (): void => waiting.splice(0).forEach((answer) => answer());
  async function answerUntilEnded(): Promise<void> {
    const isEnded = (): boolean => started.state().state !== 'reading';
    while (!isEnded()) {
      answerAll();
      await turn();
    }
  }
  return { started, messages, other, waiting, answerAll, answerUntilEnded };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('small chunks from a service reach the worker combined, in order and complete', async () => {
  const sent = Array.from({ length: 1_000 }, (_, at) => new Uint8Array(kilobyte).fill(at % 251));
  const expected = Buffer.concat(sent);
  const { started, messages, other, answerUntilEnded } = reading(
    (async function* () {
      yield* sent;
      yield new Uint8Array(0);
    })(),
  );
  await answerUntilEnded();
  expect(started.state()).toMatchObject({ state: 'idle', receivedBytes: expected.length });
  expect(messages.length).toBe(4);
  expect(Buffer.concat(messages).equals(expected)).toBe(true);
  expect(other).toEqual(['beginAnswer', 'endAnswer']);
});

test('bytes that the worker has not processed stop further reading from the service', async () => {
  let taken = 0;
  const large = new Uint8Array(700 * kilobyte + 1);
  const { waiting, answerAll, answerUntilEnded } = reading(
    (async function* () {
      for (; taken < 100; taken += 1) yield large.subarray(1);
    })(),
  );
  for (let at = 0; at < 20; at += 1) await turn();
  const heldAt = taken;
  expect(heldAt).toBeLessThan(3);
  expect(waiting.length).toBeLessThanOrEqual(4);
  answerAll();
  for (let at = 0; at < 20; at += 1) await turn();
  expect(taken).toBeGreaterThan(heldAt);
  await answerUntilEnded();
  expect(taken).toBe(100);
});

/** Reads five days with one request from a service whose answers are too large if they have more than `fits` days. */
async function readTooLarge(
  fits: number,
  { grouping = 'feed', max = Infinity }: { grouping?: 'feed' | 'geo'; max?: number } = {},
) {
  const days = Array.from({ length: 5 }, (_, at) => addDays(slice.from, at));
  const last = days[4]!;
  const slices: SliceAddress[] =
    grouping === 'geo'
      ? [{ grouping, from: slice.from, to: last }]
      : days.map((day) => ({ grouping, from: day, to: day }));
  const request: SliceRequest = { grouping, from: slice.from, to: last, slices };
  const opened: string[] = [];
  const kept: string[] = [];
  let daysAsked = 0;
  const ask = async (kind: string, input: { slices?: SliceAddress[] }): Promise<null> => {
    if (kind === 'readBytes' && daysAsked > fits) throw new AppError('report_too_large');
    if (kind === 'endAnswer') kept.push(...(input.slices ?? []).map(({ from }) => from.slice(-2)));
    return null;
  };
  const started = startReading(
    { scope, requests: [request], ...(max === Infinity ? {} : { counted: { max, onRequest() {} } }) },
    {
      worker: { ask } as unknown as ReportWorker,
      client: {
        async open({ from, to }) {
          opened.push(`${from.slice(-2)}–${to.slice(-2)}`);
          daysAsked = Number(to.slice(-2)) - Number(from.slice(-2)) + 1;
          const chunks = (async function* () {
            yield new Uint8Array(kilobyte);
          })();
          return { chunks, conceal: (text) => text, close() {} };
        },
      },
      limiter: createLimiter(1),
      nextAnswerId: () => 1,
      nowMs: () => 0,
      isCurrent: () => true,
      onProgress() {},
    },
  );
  await started.ended;
  const { state, doneRequests, allRequests } = started.state();
  return {
    opened,
    kept,
    failure: started.failure()?.code ?? null,
    state,
    requests: [doneRequests, allRequests],
  };
}

test('a request whose answer is too large is repeated for halves of its days until each half can be read', async () => {
  expect(await readTooLarge(2)).toEqual({
    opened: ['01–05', '01–03', '01–02', '03–03', '04–05'],
    kept: ['01', '02', '03', '04', '05'],
    failure: null,
    state: 'idle',
    requests: [3, 3],
  });
});

test.each([
  ['a single day is too large', 0, {}, ['01–05', '01–03', '01–02', '01–01']],
  ['rows have no day', 2, { grouping: 'geo' }, ['01–05']],
  ['no more requests may be sent', 2, { max: 2 }, ['01–05']],
] as const)('a reading fails if %s', async (_what, fits, how, opened) => {
  expect(await readTooLarge(fits, how)).toMatchObject({
    opened,
    kept: [],
    failure: 'report_too_large',
    state: 'failed',
  });
});
