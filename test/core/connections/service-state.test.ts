import { describe, expect, test } from 'vitest';
import { createServiceState } from '#core/connections/index.ts';
import type { CallOutcome } from '#core/service-client/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const fine: CallOutcome = { ready: true, latencyMs: 3, signedIn: true };
const away: CallOutcome = { ready: false, latencyMs: 3 };
const refused: CallOutcome = { ready: true, latencyMs: 3, signedIn: false };

/** A service state with a client whose next answer the test sets. With null, a request is never answered. */
function setUp() {
  const clock = createManualClock(1_000_000);
  const reported = { changes: 0, returns: 0, asked: 0 };
  const state = createServiceState({
    clock,
    onChange: () => void (reported.changes += 1),
    onReturn: () => void (reported.returns += 1),
  });
  let next: CallOutcome | null = fine;
  const list = async (): Promise<never> => {
    reported.asked += 1;
    if (next === null) return new Promise(() => undefined);
    state.observe(next);
    throw new Error('What it says does not matter');
  };
  return {
    clock,
    state,
    reported,
    answers: (outcome: CallOutcome | null) => void (next = outcome),
    look: () => state.look({ list }),
  };
}

describe('the state of a service follows its answers:', () => {
  test.each<[string, CallOutcome[], string]>([
    ['it answers', [fine], 'ready'],
    ['it answers with any text', [{ ready: true, latencyMs: 3 }], 'ready'],
    ['it fails or does not answer', [away], 'unreachable'],
    ['it refuses the token', [refused], 'signed-out'],
    [
      'it refused the token and is too busy to be checked',
      [refused, { ready: true, latencyMs: 3 }],
      'signed-out',
    ],
    ['it refused the token and is unreachable', [refused, away], 'unreachable'],
    [
      'it refused the token, was unreachable, and is too busy to be checked',
      [refused, away, { ready: true, latencyMs: 3 }],
      'signed-out',
    ],
    ['it refused the token and accepts another', [refused, fine], 'ready'],
  ])('%s', async (_what, outcomes, expected) => {
    const { state, look } = setUp();
    for (const outcome of outcomes) state.observe(outcome);
    expect((await look()).state).toBe(expected);
  });

  test('an unreachable service is checked again sooner than a service that answers', async () => {
    const { state, look, clock, reported } = setUp();
    state.observe(fine);
    clock.advance(4_001);
    await look();
    expect(reported.asked).toBe(0);
    state.observe(away);
    clock.advance(3_999);
    await look();
    expect(reported.asked).toBe(0);
    clock.advance(2);
    expect((await look()).state).toBe('ready');
    expect([reported.asked, reported.returns]).toEqual([1, 1]);
  });

  test('the latency is measured on answers only', async () => {
    const { state, look, clock } = setUp();
    state.observe({ ready: true, latencyMs: 41 });
    expect(await look()).toMatchObject({ latencyMs: 41, checkedAtMs: 1_000_000 });
    clock.advance(5_000);
    state.observe(away);
    expect(await look()).toMatchObject({ latencyMs: null, checkedAtMs: 1_005_000 });
    expect(state.answeredAtMs()).toBe(1_000_000);
  });
});

describe('a status check', () => {
  test('sends a request only if the last call is too old', async () => {
    const { look, reported, clock } = setUp();
    await look();
    await look();
    expect(reported.asked).toBe(1);
    clock.advance(10_001);
    await look();
    expect(reported.asked).toBe(2);
  });

  test('keeps asking an unreachable service so that its recovery is noticed', async () => {
    const { look, reported, clock, answers } = setUp();
    answers(away);
    for (let time = 1; time <= 5; time += 1) {
      expect((await look()).state).toBe('unreachable');
      expect(reported).toEqual({ asked: time, changes: 1, returns: 0 });
      clock.advance(10_001);
    }
    answers(fine);
    expect((await look()).state).toBe('ready');
    expect(reported).toEqual({ asked: 6, changes: 2, returns: 1 });
  });

  test('asks a service that refuses the token once a minute', async () => {
    const { look, reported, clock, answers } = setUp();
    answers(refused);
    await look();
    clock.advance(60_000);
    expect((await look()).state).toBe('signed-out');
    expect(reported.asked).toBe(1);
    clock.advance(1);
    await look();
    expect(reported.asked).toBe(2);
  });

  test('sends nothing while the service asks for a pause, and shows until when', async () => {
    const { state, look, reported, clock } = setUp();
    state.observe({ ready: false, latencyMs: 3, retryAfterSeconds: 40 });
    clock.advance(39_999);
    expect(await look()).toMatchObject({ state: 'unreachable', retryAtMs: 1_040_000 });
    expect(reported.asked).toBe(0);
    clock.advance(1);
    expect(await look()).toMatchObject({ state: 'ready', retryAtMs: null });
    expect(reported.asked).toBe(1);
  });

  test('ignores a pause of years', async () => {
    const { state, look, reported, clock } = setUp();
    state.observe({ ready: true, latencyMs: 3, retryAfterSeconds: 1_000_000_000 });
    clock.advance(600_000);
    expect((await look()).retryAtMs).toBeNull();
    expect(reported.asked).toBe(1);
  });

  test('waits a second for an answer at most, and sends one request for all simultaneous checks', async () => {
    const { look, reported, clock, answers } = setUp();
    answers(null);
    const looks = [look(), look()];
    clock.advance(1_000);
    for (const each of looks) expect((await each).state).toBe('unknown');
    expect(reported.asked).toBe(1);
  });

  test('sends a request after a doubtful result, however recent the last call is', async () => {
    const { state, look, reported } = setUp();
    state.observe({ ready: false, latencyMs: 3, retryAfterSeconds: 40 });
    state.invalidate();
    await look();
    expect(reported.asked).toBe(1);
  });

  test('works after the clock was set back', async () => {
    const { state, look, clock, answers } = setUp();
    state.observe(fine);
    clock.setForward(-60 * 60 * 1000);
    clock.advance(10_001);
    answers(away);
    expect((await look()).state).toBe('unreachable');
  });
});

describe('a listener to the service’s state', () => {
  test('is called when the state changes, not at every call', () => {
    const { state, reported } = setUp();
    for (const outcome of [fine, fine, away, away, refused, refused, fine]) state.observe(outcome);
    expect(reported.changes).toBe(4);
  });

  test('is called when a read begins to wait and when it continues, and the first of several waits counts', async () => {
    const { state, look, reported } = setUp();
    state.observe(fine);
    const over = state.waits({ retryAtMs: 1_009_000 });
    const overSooner = state.waits({ retryAtMs: 1_004_000 });
    expect((await look()).retryAtMs).toBe(1_004_000);
    state.waits({ retryAtMs: 1_005_000 })();
    expect(reported.changes).toBe(3);
    overSooner();
    expect((await look()).retryAtMs).toBe(1_009_000);
    over();
    over();
    expect((await look()).retryAtMs).toBeNull();
    expect(reported.changes).toBe(5);
  });

  test.each<[string, CallOutcome[], number]>([
    ['its first answer', [fine], 0],
    ['an answer after answers', [fine, fine], 0],
    ['a refused token', [away, refused], 0],
    ['an answer after an outage', [fine, away, fine], 1],
    ['a token that is accepted again', [refused, fine], 1],
    ['each recovery', [away, fine, away, fine], 2],
  ])('is notified of a recovery by %s', (_what, outcomes, returns) => {
    const { state, reported } = setUp();
    for (const outcome of outcomes) state.observe(outcome);
    expect(reported.returns).toBe(returns);
  });
});
