import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAgain } from '#renderer/stores/follow-core.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A read that takes this long, and records the last event that it knew each time. */
function reading(takesMs: number) {
  const seen: number[] = [];
  const state = { event: 0 };
  const read = readAgain(async () => {
    seen.push(state.event);
    await new Promise((resolve) => setTimeout(resolve, takesMs));
  }, 200);
  return { seen, state, read };
}

test('two hundred simultaneous events cause two reads, the second after the last event', async () => {
  const { seen, state, read } = reading(5);
  for (state.event = 1; state.event < 200; state.event += 1) read();
  read();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual([1, 200]);
});

test('two hundred events within two seconds cause a few reads per second, and the last event is read', async () => {
  const { seen, state, read } = reading(1);
  for (let event = 1; event <= 200; event += 1) {
    state.event = event;
    read();
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.at(-1)).toBe(200);
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.length).toBeLessThanOrEqual(44);
});

test('an event after a quiet period is read immediately', async () => {
  const { seen, state, read } = reading(1);
  for (const event of [1, 2, 3]) {
    state.event = event;
    read();
    expect(seen.at(-1)).toBe(event);
    await vi.advanceTimersByTimeAsync(1_000);
  }
});
