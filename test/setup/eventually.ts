import { vi } from 'vitest';
import { lookEveryMs, patienceMs } from '../../scripts/lib/test-settings.ts';

const options = { timeout: patienceMs, interval: lookEveryMs };

/** Repeats the assertions until they pass, and returns their result. Fails with their last error after the timeout of tests. */
export function eventually<Result>(assertions: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertions, options);
}

/** Calls `look` repeatedly until it returns something truthy, and returns that. Fails after the timeout of tests. */
export function untilFound<Found>(look: () => Found | Promise<Found>) {
  return vi.waitUntil(look, options);
}

/** Waits for a promise that has no deadline of its own. Fails after `limitMs`, with `what` in the message. */
export async function inTime<Result>(
  what: string,
  awaited: Promise<Result>,
  limitMs = patienceMs,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} did not come in ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
