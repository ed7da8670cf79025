import { describe, expect, test } from 'vitest';
import { type Answered, clockSkew } from '#core/doctor/answers/ask.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);
const clock = createManualClock(nowMs);

function answer(headers: Record<string, string>, tookMs = 0): Answered {
  return { kind: 'answer', status: 200, headers: new Headers(headers), text: '', json: undefined, tookMs };
}

const at = (offMs: number): { date: string } => ({ date: new Date(nowMs + offMs).toUTCString() });

describe('the doctor compares the service’s clock, which', () => {
  test.each([
    ['is ours', at(0), 0, null],
    ['is half a minute ahead', at(30_000), 0, null],
    ['is slightly more than half a minute ahead', at(31_000), 0, 'notice'],
    ['is five minutes behind', at(-300_000), 0, 'notice'],
    ['is more than five minutes behind', at(-301_000), 0, 'failed'],
    ['cannot be read from a slow answer', at(-60_000), 80_000, null],
    ['comes from an answer stored by a proxy', { ...at(-3_600_000), age: '3600' }, 0, null],
    ['is not stated', {}, 0, null],
    ['is stated as nonsense', { date: 'yesterday' }, 0, null],
  ])('%s', (_name, headers, tookMs, state) => {
    expect(clockSkew(answer(headers, tookMs), clock)?.state ?? null).toBe(state);
  });

  test('is described by its difference and by which side is ahead, without blaming a side', () => {
    expect(clockSkew(answer(at(7_200_000)), clock)?.means).toMatch(
      /^The service’s clock is 2 h ahead of this computer’s, .*Countersign cannot tell which of the two is wrong\.$/,
    );
    expect(clockSkew(answer(at(-40_000)), clock)?.means).toMatch(/is 40 s behind this computer’s/);
  });
});
