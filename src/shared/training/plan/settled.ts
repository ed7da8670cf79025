import { dateOfDay, dayNumber } from '../../campaign/index.ts';
import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import type { Random } from '../../lib/random.ts';

interface Settling {
  random: Random;
  context: CampaignContext;
  day: { date: string; zone: string };
  /** Names that are taken; the new one is added. */
  names: Set<string>;
}

/** The fields that make a campaign of this type an ordinary running one, so that only the planted fault is wrong with it. */
export function settled(type: CampaignType, { random, context, day, names }: Settling): JsonObject {
  const { settings } = context;
  const { label, geo } = random.pick(markets);
  const daily = random.pick(dailyBudgets.filter((amount) => amount >= 2 * settings.min_budget));
  return {
    name: freshName(`${label} ${type.name.toLowerCase()}`, { random, names }),
    status: 1,
    payout: usualBid(type, random),
    enable_budget: 1,
    d_revenue: daily,
    t_revenue: daily * random.pick([30, 40, 41, 50]),
    enable_time: 1,
    create: dateAfter(day, -random.integer(10, 90)),
    create_time: '00:00',
    expire: dateAfter(day, random.integer(25, 60)),
    expire_time: '23:59',
    enable_shedule: 1,
    shedule: officeHours(random),
    shedule_timezone: day.zone,
    geo_enabled: 0,
    geo: [...geo],
    ...(settings.enable_freq_cap && { freq_cap: 1, freq_counter: random.pick([2, 3, 3, 4]) }),
  };
}

const dailyBudgets: readonly number[] = [30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250];

/** Groups of countries that buyers target together, with their names in campaigns. */
const markets: readonly { label: string; geo: readonly string[] }[] = [
  { label: 'DACH', geo: ['DE', 'AT', 'CH'] },
  { label: 'Nordics', geo: ['SE', 'NO', 'DK', 'FI'] },
  { label: 'Benelux', geo: ['BE', 'NL', 'LU'] },
  { label: 'South', geo: ['FR', 'IT', 'ES', 'PT'] },
  { label: 'CEE', geo: ['PL', 'CZ', 'SK', 'HU', 'RO'] },
  { label: 'LATAM', geo: ['MX', 'CO', 'CL', 'PE', 'AR'] },
  { label: 'English', geo: ['GB', 'IE', 'AU', 'NZ'] },
  { label: 'Asia', geo: ['ID', 'TH', 'VN', 'PH'] },
];

const themes: readonly string[] = [
  'summer',
  'autumn',
  'winter',
  'spring',
  'payday',
  'weekend',
  'retargeting',
  'new landing page',
  'sign-ups',
  'app installs',
  'evening',
  'scale',
];

function freshName(start: string, { random, names }: Pick<Settling, 'random' | 'names'>): string {
  for (;;) {
    const name = `${start} – ${random.pick(themes)} ${random.integer(1, 99)}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}

/** A bid that could be ten times as high within the bounds of its type. */
function usualBid({ minBid, maxBid }: CampaignType, random: Random): number {
  return bidBetween(Math.max(minBid * 2, maxBid / 100), maxBid / 11, random);
}

/** Rounding to two figures moves a number by less. */
const roundedBy = 1.06;

/** A bid of two figures between two others, both of which are positive; lower ones come up as often as higher ones. */
export function bidBetween(min: number, max: number, random: Random): number {
  const [from, to] = [min * roundedBy, max / roundedBy];
  return Number((from * (to / from) ** random.fraction()).toPrecision(2));
}

/** The date so many days after another. */
export function dateAfter({ date }: { date: string }, days: number): string {
  return dateOfDay((dayNumber(date) ?? 0) + days);
}

/** About half of the week, the same hours every day. */
function officeHours(random: Random): number[] {
  const from = random.integer(6, 10);
  const until = from + random.integer(10, 13);
  return Array.from({ length: 168 }, (_hour, index) => (index % 24 >= from && index % 24 < until ? 1 : 0));
}
