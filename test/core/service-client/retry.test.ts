import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pauseBeforeWriteMs, withRetry } from '#core/service-client/retry.ts';
import { AppError, errorCodes } from '#shared/errors/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { createHurriedClock } from './hurried-clock.ts';
import { runs } from '#test/setup/property-runs.ts';

const pauseFor = (retryAfterSeconds?: number): AppError =>
  new AppError('rate_limited', retryAfterSeconds === undefined ? {} : { data: { retryAfterSeconds } });

const broken = (): AppError => new AppError('service_unreachable', { cause: new TypeError('fetch failed') });

const late = (): AppError =>
  new AppError('service_unreachable', { cause: new DOMException('Too late', 'TimeoutError') });

function failing(...failures: readonly unknown[]): { attempt: () => Promise<string>; tries: () => number } {
  let tries = 0;
  return {
    attempt: async () => {
      const failure = failures[tries];
      tries += 1;
      if (failure !== undefined) throw failure;
      return 'done';
    },
    tries: () => tries,
  };
}

async function run(failures: readonly unknown[], random = (): number => 0.5) {
  const clock = createHurriedClock();
  const { attempt, tries } = failing(...failures);
  const result = await withRetry(attempt, { pauses: { clock, random } }).catch((failure: unknown) => failure);
  return { result, tries: tries(), waitsMs: clock.waitsMs };
}

describe('a temporary failure', () => {
  test.each(['rate_limited', 'service_unavailable'] as const)(
    'is followed by another try after a wait: %s',
    async (code) => {
      const { result, tries, waitsMs } = await run([new AppError(code), new AppError(code)]);
      expect(result).toBe('done');
      expect(tries).toBe(3);
      expect(waitsMs).toEqual([250, 500]);
    },
  );

  test('allows four tries at most', async () => {
    const failures = [1, 2, 3, 4, 5].map(() => pauseFor());
    const { result, tries } = await run(failures);
    expect(result).toBe(failures[3]);
    expect(tries).toBe(4);
  });

  test('leads to a random wait between zero and a limit that doubles with each try', async () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(chance, { minLength: 3, maxLength: 3 }), async (chances) => {
        let next = 0;
        const random = (): number => chances[next++] ?? 0;
        const { waitsMs } = await run([pauseFor(), pauseFor(), pauseFor()], random);
        expect(waitsMs).toHaveLength(3);
        for (const [index, waitMs] of waitsMs.entries()) {
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThan(500 * 2 ** index);
          expect(waitMs).toBe((chances[index] ?? 0) * 500 * 2 ** index);
        }
      }),
      runs(50),
    );
  });

  test('never leads to a shorter wait than requested, nor to more than a minute of waiting in all', async () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const seconds = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(seconds, { minLength: 1, maxLength: 5 }), chance, async (asked, random) => {
        const { waitsMs, tries } = await run(
          asked.map((each) => pauseFor(each)),
          () => random,
        );
        expect(tries).toBe(waitsMs.length + 1);
        expect(tries).toBeLessThanOrEqual(4);
        expect(waitsMs.reduce((sum, waitMs) => sum + waitMs, 0)).toBeLessThanOrEqual(60_000);
        for (const [index, waitMs] of waitsMs.entries()) {
          expect(waitMs).toBeGreaterThanOrEqual((asked[index] ?? 0) * 1000);
          expect(asked[index] ?? 0).toBeLessThanOrEqual(30);
        }
      }),
      runs(100),
    );
  });

  test.each([
    [30, 2],
    [31, 1],
    [86_400, 1],
  ])(
    'with a requested pause of %i seconds leads to %i tries; a pause that is too long fails at once',
    async (asked, tries) => {
      const outcome = await run([pauseFor(asked)]);
      expect(outcome.tries).toBe(tries);
      if (tries === 1) expect(outcome.result).toMatchObject({ data: { retryAfterSeconds: asked } });
    },
  );

  test('is not repeated if the caller sets no pauses', async () => {
    const { attempt, tries } = failing(pauseFor(1));
    expect((await failureOf(withRetry(attempt))).code).toBe('rate_limited');
    expect(tries()).toBe(1);
  });

  test.each(
    errorCodes.filter(
      (code) => !['rate_limited', 'service_unavailable', 'service_unreachable'].includes(code),
    ),
  )('is not assumed for the error %s', async (code) => {
    const { tries, waitsMs } = await run([new AppError(code, { data: { retryAfterSeconds: 1 } })]);
    expect({ tries, waitsMs }).toEqual({ tries: 1, waitsMs: [] });
  });

  test('is not assumed for a bug', async () => {
    const bug = new TypeError('undefined is not a function');
    expect(await run([bug])).toEqual({ result: bug, tries: 1, waitsMs: [] });
  });
});

describe('a broken connection', () => {
  test('is followed by one more try, immediately', async () => {
    expect(await run([broken()])).toEqual({ result: 'done', tries: 2, waitsMs: [] });
    expect(await run([broken(), broken()])).toMatchObject({ tries: 2, waitsMs: [] });
    expect(await run([broken(), pauseFor(), broken()])).toMatchObject({ tries: 3 });
  });

  test('is not assumed after a timeout', async () => {
    expect(await run([late()])).toMatchObject({ tries: 1, waitsMs: [] });
  });

  test('counts as one of the four tries', async () => {
    expect(await run([broken(), ...[1, 2, 3, 4].map(() => pauseFor())])).toMatchObject({ tries: 4 });
  });
});

describe('a wait', () => {
  function waiting(signals: { signal?: AbortSignal; ended?: AbortSignal }) {
    const clock = createManualClock(1_000_000);
    const reported: (number | 'over')[] = [];
    const onWait = ({ retryAtMs }: { retryAtMs: number }) => {
      reported.push(retryAtMs);
      return () => void reported.push('over');
    };
    const { attempt, tries } = failing(pauseFor(2));
    const { signal, ended } = signals;
    const pauses = { clock, random: () => 0.5, onWait, ...(ended === undefined ? {} : { ended }) };
    return { clock, reported, tries, done: withRetry(attempt, { pauses, signal }) };
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('is reported with the time of the next try, and when it is over', async () => {
    const { clock, reported, tries, done } = waiting({});
    await settled();
    expect(reported).toEqual([1_002_250]);
    clock.advance(2_249);
    await settled();
    expect(tries()).toBe(1);
    clock.advance(1);
    expect(await done).toBe('done');
    expect(reported).toEqual([1_002_250, 'over']);
  });

  test('ends with the signal, and fails with its reason', async () => {
    const abort = new AbortController();
    const { reported, tries, done } = waiting({ signal: abort.signal });
    await settled();
    const reason = new Error('It is not wanted any more');
    abort.abort(reason);
    await expect(done).rejects.toBe(reason);
    expect(reported.at(-1)).toBe('over');
    expect(tries()).toBe(1);
  });

  test('ends with the client, and fails with the failure of the last try', async () => {
    const end = new AbortController();
    const { reported, tries, done } = waiting({ ended: end.signal });
    await settled();
    end.abort();
    expect((await failureOf(done)).code).toBe('rate_limited');
    expect(reported.at(-1)).toBe('over');
    expect(tries()).toBe(1);
  });

  test('does not begin if the client has already ended', async () => {
    const { reported, done } = waiting({ ended: AbortSignal.abort() });
    expect((await failureOf(done)).code).toBe('rate_limited');
    expect(reported).toEqual([]);
  });
});

describe('a write', () => {
  const after = (failure: AppError, tries = 1): number | null =>
    pauseBeforeWriteMs(failure, { tries, random: 0.5 });

  test('may be repeated only after 429', () => {
    expect(errorCodes.filter((code) => after(new AppError(code)) !== null)).toEqual(['rate_limited']);
  });

  test.each([
    [undefined, 1, 250],
    [undefined, 3, 1_000],
    [1, 1, 1_250],
    [60, 2, 60_500],
    [61, 1, null],
    [1, 4, null],
  ])('that has to wait %j s, after %i attempts, waits %j ms', (seconds, tries, ms) => {
    expect(after(pauseFor(seconds), tries)).toBe(ms);
  });
});
