import type { TrafficFormat } from '../tenants/index.ts';
import type { DeviceTarget } from './devices.ts';
import type { Market } from './markets.ts';
import type { Offer } from './offers.ts';
import type { Random } from './random.ts';

/** What a name is made of. */
export interface NameParts {
  random: Random;
  market: Market;
  offer: Offer;
  target: DeviceTarget;
  format: TrafficFormat;
}

const words: Record<TrafficFormat, readonly string[]> = {
  push: ['Push'],
  popunder: ['Pop', 'Popunder'],
  native: ['Native'],
  display: ['Display', 'Banner 300×250', 'Banner 728×90'],
  contextual: ['Contextual', 'Search'],
};
const notes = [
  'summer',
  'autumn',
  'Black Friday',
  'payday',
  'weekend',
  'whitelist',
  'scale',
  'new LP',
  'night',
  'CBO test',
];

/** A name as a media buyer gives it: several habits in one account, versions, tests and copies. */
export function campaignName(parts: NameParts): string {
  const { random, market, offer, target, format } = parts;
  const word = random.pick(words[format]);
  const version = `v${random.integer(1, 9)}`;
  const patterns: readonly (() => string)[] = [
    () => `${market.label} · ${word} · ${offer.brand} – ${target.label} · ${version}`,
    () => `${market.label} · ${word} · ${offer.vertical} – ${target.label} · ${version}`,
    () => `${market.label} | ${word} | ${offer.vertical} | ${target.label}`,
    () => `${market.label} ${word.toLowerCase()} – ${random.pick(notes)}`,
    () => `${offer.brand} ${market.label} – ${random.pick(notes)} (${word})`,
    () => `${offer.brand} – retargeting ${random.pick([7, 14, 30])}d · ${market.label} · ${target.label}`,
    () => `[TEST] ${offer.brand} ${version} ${market.label} ${target.label}`,
    () => `${market.label} · ${word} · ${offer.brand} – ${target.label} · ${version} copy`,
  ];
  const habits = [30, 18, 18, 8, 12, 6, 5, 3];
  const pattern = random.weighted(patterns, (member) => habits[patterns.indexOf(member)] ?? 0);
  return pattern();
}
