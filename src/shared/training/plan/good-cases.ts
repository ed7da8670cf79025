import { defaultFormats } from '../../lib/formats.ts';
import { type GoodCase, hasClickUrl, numberOf, textOf, textsOf, times } from './steps.ts';
import { dateAfter } from './subjects.ts';

function scaled(
  field: 'payout' | 'd_revenue' | 't_revenue',
  factors: readonly number[],
  says: (percent: number) => readonly string[],
): GoodCase['vary'] {
  return ({ subject, random }) => {
    const factor = random.pick(factors);
    const percent = Math.round(Math.abs(factor - 1) * 100);
    return { fields: { [field]: times(numberOf(subject, field), factor) }, says: says(percent) };
  };
}

function endMoved(later: boolean): GoodCase['vary'] {
  return ({ subject, random }) => {
    const by = later ? random.integer(2, 6) : -random.integer(2, 10);
    return {
      fields: { expire: dateAfter(textOf(subject, 'expire'), by) },
      says: later
        ? `Runs ${by} days longer.`
        : `The offer ends ${-by} days earlier, and so does the campaign.`,
    };
  };
}

function hoursMoved(more: boolean): GoodCase['vary'] {
  return ({ subject, random }) => {
    const week = subject.campaign['shedule'] as number[];
    const from = more ? 0 : 1;
    const at = week.flatMap((on, hour) => (on === from ? [hour] : []));
    const moved = new Set(random.some(at, random.integer(3, 6)));
    return {
      fields: { shedule: week.map((on, hour) => (moved.has(hour) ? 1 - on : on)) },
      says: more
        ? `Adds ${moved.size} hours that convert well.`
        : `Takes out ${moved.size} hours without conversions.`,
    };
  };
}

const moreCountries: readonly string[] = ['EE', 'LV', 'LT', 'SI', 'HR', 'GR', 'MT', 'CY', 'IS', 'LI'];

const addresses = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_each, at) => `203.0.113.${from + at}`);

const table = {
  'a new name': {
    vary: ({ subject, random }) => ({
      fields: { name: `${subject.name} ${random.pick(['B', 'v2', '(new)', 'Q4'])}` },
      says: ['New name for the next test.', 'Renames the campaign.', null],
    }),
  },
  'a bid 10% higher': {
    vary: scaled('payout', [1.05, 1.1, 1.15], (percent) => [
      `Raises the bid by ${percent}% to win back the position.`,
      `Raises the bid by ${percent}% for good traffic.`,
    ]),
  },
  'a lower bid': {
    vary: scaled('payout', [0.9, 0.8, 0.95], (percent) => [
      `Lowers the bid by ${percent}%: the position stays.`,
      `Lowers the bid by ${percent}%, as prices have fallen.`,
    ]),
  },
  'a daily budget 20 % higher': {
    vary: scaled('d_revenue', [1.1, 1.2], (percent) => [
      `Raises the daily budget by ${percent}%: it is used up by 16:00.`,
      `${percent}% more a day, as agreed on Monday.`,
    ]),
  },
  'a lower daily budget': {
    vary: scaled('d_revenue', [0.8, 0.9], (percent) => [
      `Lowers the daily budget by ${percent}%.`,
      `${percent}% less a day: it was not used up.`,
    ]),
  },
  'a total budget a little higher': {
    vary: scaled('t_revenue', [1.1, 1.2], (percent) => [
      `Raises the total budget by ${percent}% so that it lasts until the end.`,
    ]),
  },
  'a daily budget $1,200 higher': {
    vary: ({ subject, random }) => {
      const daily = random.pick([4000, 5000, 6000]);
      const more = random.pick([1100, 1200, 1400]);
      return {
        before: { d_revenue: daily, t_revenue: 0 },
        fields: { d_revenue: daily + more },
        says: `Our largest campaign: $${defaultFormats.count(more)} more a day for ${subject.name}, as planned.`,
      };
    },
  },
  'a pause': {
    vary: () => ({
      status: 'paused',
      says: [
        'No conversions for ten days. Pauses it.',
        'Pauses it until the new landing page is there.',
        'It spends without a result.',
      ],
    }),
  },
  'a removal': {
    vary: () => ({
      fields: { status: 2 },
      says: ['The offer has ended. Removes the campaign.', 'An old test: removes it.'],
    }),
  },
  'a restart at $25 a day without an end': {
    vary: ({ subject, random, day }) => ({
      before: {
        name: `READY · ${subject.name}`,
        status: 3,
        d_revenue: random.pick([20, 25, 30]),
        t_revenue: 0,
        enable_time: random.pick([0, 1]),
        create: dateAfter(day.date, -random.integer(5, 30)),
        expire: '',
        expire_time: '',
      },
      status: 'active',
      says: ['Ready since this morning: restarts it.', 'Marked READY, so it goes on.'],
    }),
  },
  'a country more': {
    vary: ({ subject, random }) => {
      const country = random.pick(moreCountries);
      return {
        fields: { geo: [...textsOf(subject, 'geo'), country] },
        says: [`Adds ${country}, as agreed.`, `The offer is live in ${country}: adds it.`],
      };
    },
  },
  'a country fewer': {
    vary: ({ subject, random }) => {
      const countries = textsOf(subject, 'geo');
      const dropped = random.pick(countries);
      return {
        fields: { geo: countries.filter((country) => country !== dropped) },
        says: [`Drops ${dropped}: no conversions there.`, `The offer has ended in ${dropped}: drops it.`],
      };
    },
  },
  'a device more': {
    vary: ({ random }) => {
      const device = random.pick(['mobile', 'desktop']);
      return {
        before: { devices_enabled: 0, devices: [device] },
        fields: { devices: [device, 'tablet'] },
        says: 'Adds the device type tablet: the landing page fits it now.',
      };
    },
  },
  'an end five days later': { vary: endMoved(true) },
  'an earlier end': { vary: endMoved(false) },
  'a few hours more': { vary: hoursMoved(true) },
  'a few hours fewer': { vary: hoursMoved(false) },
  'another path of the click URL': {
    fits: hasClickUrl,
    vary: ({ subject, random }) => {
      const path = random.pick(['/lp/c', '/lp/d', '/welcome', '/offer/3', '/join']);
      const clickurl = textOf(subject, 'clickurl').replace(/^(https?:\/\/[^/?#]+)[^?#]*/, `$1${path}`);
      return { fields: { clickurl }, says: `The new landing page is at ${path}.` };
    },
  },
  'other words': {
    fits: ({ kind }) => kind.push || kind.contextual,
    vary: ({ random }) => ({
      fields: {
        title: random.pick(['Winter offers', 'New prices today', 'A week only', 'Find your deal']),
        description: random.pick(['A week only', 'New prices every day', 'Compare in two minutes']),
      },
      says: ['New wording of the ad.', 'Wording B of the test.', null],
    }),
  },
  'more blocked addresses': {
    vary: ({ random }) => {
      const blocked = addresses(random.integer(4, 9), 1);
      const added = addresses(random.integer(1, 3), 100);
      return {
        before: { ip_blocklist: blocked },
        fields: { ip_blocklist: [...blocked, ...added] },
        says: ['Blocks addresses that only bots use.', 'Adds to the block list.'],
      };
    },
  },
} satisfies Record<string, GoodCase>;

export type GoodName = keyof typeof table;

export const goodCases: Readonly<Record<GoodName, GoodCase>> = table;
