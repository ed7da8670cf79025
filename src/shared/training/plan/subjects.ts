import { type CampaignKind, dateOfDay, dayNumber, kindOf, typeOf } from '../../campaign/index.ts';
import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { jsonEqual, type JsonObject } from '../../lib/json/json-value.ts';
import type { Random } from '../../lib/random.ts';

/** `day` is the current day on the service's clock. */
export interface Workspace {
  campaigns: readonly JsonObject[];
  context: CampaignContext;
  day: { date: string; zone: string };
}

export interface Subject {
  cid: number;
  name: string;
  type: CampaignType;
  kind: CampaignKind;
  /** A complete, valid and running campaign with budgets, flight, schedule, countries and frequency cap on. */
  campaign: JsonObject;
  fields: JsonObject;
}

export type Candidate = Pick<Subject, 'type' | 'kind' | 'campaign'>;

export interface Pool {
  take(fits?: (candidate: Candidate) => boolean): Subject;
  with(subject: Subject, fields: JsonObject): Subject;
}

const pending = 0;

/** Excludes unknown types and pending campaigns, which only the service may start. */
export function createPool({ campaigns, context, day }: Workspace, random: Random): Pool {
  const left = random.shuffled(campaigns).flatMap((campaign): Candidate[] => {
    const type = campaign['status'] === pending ? undefined : typeOf(campaign, context);
    return type === undefined ? [] : [{ campaign, type, kind: kindOf(type) }];
  });
  const names = new Set<string>();
  const stored = new Map(campaigns.map((campaign) => [campaign['cid'], campaign]));

  function subjectOf({ type, kind }: Candidate, campaign: JsonObject): Subject {
    const { cid, name } = campaign;
    const before = stored.get(cid ?? null) ?? {};
    const fields = Object.entries(campaign).filter(([field, value]) => !jsonEqual(before[field], value));
    return {
      cid: Number(cid),
      name: typeof name === 'string' ? name : '',
      type,
      kind,
      campaign,
      fields: Object.fromEntries(fields),
    };
  }

  function freshName(start: string): string {
    for (;;) {
      const name = `${start} – ${random.pick(themes)} ${random.integer(1, 99)}`;
      if (names.has(name)) continue;
      names.add(name);
      return name;
    }
  }

  /** Makes the campaign ordinary and running, so that the planted fault is its only fault. */
  function settled(type: CampaignType): JsonObject {
    const { settings } = context;
    const { label, geo } = random.pick(markets);
    const daily = random.pick(dailyBudgets.filter((amount) => amount >= 2 * settings.min_budget));
    return {
      name: freshName(`${label} ${type.name.toLowerCase()}`),
      status: 1,
      // Leaves room below the type's maximum for a tenfold bid.
      payout: bidBetween(Math.max(type.minBid * 2, type.maxBid / 100), type.maxBid / 11, random),
      enable_budget: 1,
      d_revenue: daily,
      t_revenue: daily * random.pick([30, 40, 41, 50]),
      enable_time: 1,
      create: dateAfter(day.date, -random.integer(10, 90)),
      create_time: '00:00',
      expire: dateAfter(day.date, random.integer(25, 60)),
      expire_time: '23:59',
      enable_shedule: 1,
      shedule: officeHours(random),
      shedule_timezone: day.zone,
      geo_enabled: 0,
      geo: [...geo],
      ...(settings.enable_freq_cap && { freq_cap: 1, freq_counter: random.pick([2, 3, 3, 4]) }),
    };
  }

  return {
    take(fits = () => true) {
      const at = left.findIndex(fits);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined) throw new RangeError('The workspace has too few campaigns for this mission');
      return subjectOf(found, { ...found.campaign, ...settled(found.type) });
    },
    with: (subject, fields) => subjectOf(subject, { ...subject.campaign, ...fields }),
  };
}

const dailyBudgets: readonly number[] = [30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250];

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

/** Rounding to two digits never changes a number by more than this factor. */
const roundedBy = 1.06;

/** Two significant digits. The distribution is logarithmic: low bids are as frequent as high ones. */
export function bidBetween(min: number, max: number, random: Random): number {
  const [from, to] = [min * roundedBy, max / roundedBy];
  return Number((from * (to / from) ** random.fraction()).toPrecision(2));
}

export function dateAfter(date: string, days: number): string {
  return dateOfDay((dayNumber(date) ?? 0) + days);
}

function officeHours(random: Random): number[] {
  const from = random.integer(6, 10);
  const until = from + random.integer(10, 13);
  return Array.from({ length: 168 }, (_hour, index) => (index % 24 >= from && index % 24 < until ? 1 : 0));
}
