import { expect, test } from 'vitest';
import { createMovableClock } from '#core/platform/clock.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-23T08:00:00Z');

test('a clock that was moved forward continues from there, and its monotonic time never jumps', () => {
  const base = createManualClock(startMs);
  const clock = createMovableClock(base, hourMs);
  const monotonicMs = clock.monotonicMs();
  clock.forward(hourMs);
  expect(clock.nowMs()).toBe(startMs + 2 * hourMs);
  expect(clock.aheadMs).toBe(2 * hourMs);
  expect(clock.monotonicMs()).toBe(monotonicMs);
  expect(base.nowMs()).toBe(startMs);
  base.advance(1_000);
  expect(clock.nowMs()).toBe(startMs + 2 * hourMs + 1_000);
});

test('a clock can state what it showed at any time of the other clock, despite several moves', () => {
  const base = createManualClock(startMs);
  const clock = createMovableClock(base, hourMs);
  base.advance(1_000);
  clock.forward(hourMs);
  base.advance(1_000);
  clock.forward(hourMs);
  expect([startMs - 5, startMs + 500, startMs + 1_500, base.nowMs()].map(clock.timeAt)).toEqual([
    startMs - 5 + hourMs,
    startMs + 500 + hourMs,
    startMs + 1_500 + 2 * hourMs,
    clock.nowMs(),
  ]);
});

test('calls that become due by a move are made in order, others later, and cancelled calls never', () => {
  const base = createManualClock(startMs);
  const clock = createMovableClock(base);
  const calls: string[] = [];
  clock.after(3 * hourMs, () => calls.push('after three hours'));
  clock.after(hourMs, () => calls.push('after one hour'));
  clock.after(50 * 60_000, () => calls.push('after fifty minutes'));
  clock.after(hourMs, () => calls.push('cancelled'))();
  clock.forward(2 * hourMs);
  base.advance(0);
  expect(calls).toEqual(['after fifty minutes', 'after one hour']);
  base.advance(hourMs);
  expect(calls).toEqual(['after fifty minutes', 'after one hour', 'after three hours']);
});
