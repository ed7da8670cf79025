import { weekday } from '#shared/campaign/index.ts';
import type { DemoSource } from './publisher-sources.ts';

/** A country in publishers' traffic. */
interface TrafficGeo {
  geo: string;
  /** Its part of the volume. */
  share: number;
  /** How much more or less a click earns here. */
  price: number;
}

/** Where the demo's traffic comes from. */
export const trafficGeos: readonly TrafficGeo[] = [
  { geo: 'AU', share: 0.05, price: 1.5 },
  { geo: 'BR', share: 0.11, price: 0.5 },
  { geo: 'DE', share: 0.16, price: 1.4 },
  { geo: 'FR', share: 0.09, price: 1.2 },
  { geo: 'GB', share: 0.14, price: 1.5 },
  { geo: 'IN', share: 0.1, price: 0.3 },
  { geo: 'JP', share: 0.05, price: 1.3 },
  { geo: 'US', share: 0.3, price: 1.8 },
];

/** Each subid's part of the volume, by its place in the list. */
export const subidShares: readonly number[] = [0.38, 0.24, 0.19, 0.12, 0.07];

/** Monday first. */
const weekdays: readonly number[] = [1, 1.03, 1.02, 0.99, 0.95, 0.74, 0.71];

const seasonDays = 220;

/**
 * How busy a source is on a day without a story, 1 being ordinary: the week and a slow season. It depends on the day
 * alone, so the past never changes.
 */
export function level({ id }: DemoSource, day: number): number {
  const season = Math.abs((((day + id * 29) % seasonDays) / seasonDays) * 2 - 1);
  return (weekdays[weekday(day)] ?? 1) * (0.78 + 0.44 * season);
}
