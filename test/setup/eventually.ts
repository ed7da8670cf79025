import { vi } from 'vitest';
import { lookEveryMs, patienceMs } from '../../scripts/lib/test-settings.ts';

const options = { timeout: patienceMs, interval: lookEveryMs };

/** Repeats the assertions until they pass, and returns what they return. Fails with their last error when the patience ends. */
export function eventually<Result>(assertions: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(assertions, options);
}

/** Repeats the look until it finds something truthy, and returns that. Fails when the patience ends. */
export function untilFound<Found>(look: () => Found | Promise<Found>) {
  return vi.waitUntil(look, options);
}
