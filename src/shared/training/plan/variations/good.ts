import { dateAfter } from '../settled.ts';
import { goodTraffic } from './good-traffic.ts';
import { type GoodVariation, numberOf, times } from './variation.ts';
import { usualFormats } from '#shared/lib/formats.ts';

/** A budget or bid by another factor, with words that say so. */
function scaled(
  field: 'payout' | 'd_revenue' | 't_revenue',
  factors: readonly number[],
  says: (percent: number) => readonly string[],
): GoodVariation {
  return {
    vary: ({ subject, random }) => {
      const factor = random.pick(factors);
      const percent = Math.round(Math.abs(factor - 1) * 100);
      return {
        change: { fields: { [field]: times(numberOf(subject, field), factor) } },
        says: random.pick(says(percent)),
      };
    },
  };
}

const dearBudget: GoodVariation = {
  vary: ({ subject, random }) => {
    const daily = random.pick([4000, 5000, 6000]);
    const more = random.pick([1100, 1200, 1400]);
    return {
      before: { d_revenue: daily, t_revenue: 0 },
      change: { fields: { d_revenue: daily + more } },
      says: `Our largest campaign: $${usualFormats.count(more)} more a day for ${subject.name}, as planned.`,
    };
  },
};

const restart: GoodVariation = {
  vary: ({ subject, random, day }) => ({
    before: {
      name: `READY · ${subject.name}`,
      status: 3,
      d_revenue: random.pick([20, 25, 30]),
      t_revenue: 0,
      enable_time: random.pick([0, 1]),
      create: dateAfter(day, -random.integer(5, 30)),
      expire: '',
      expire_time: '',
    },
    change: { status: 'active' },
    says: random.pick(['Ready since this morning: restarts it.', 'Marked READY, so it goes on.']),
  }),
};

const pause: GoodVariation = {
  vary: ({ random }) => ({
    change: { status: 'paused' },
    says: random.pick([
      'No conversions for ten days. Pauses it.',
      'Pauses it until the new landing page is there.',
      'It spends without a result.',
    ]),
  }),
};

/** Ordinary changes of name, money and status, by the names of their cases; those of the traffic are beside. */
export const goodVariations: Readonly<Record<string, GoodVariation>> = {
  'a new name': {
    vary: ({ subject, random }) => ({
      change: { fields: { name: `${subject.name} ${random.pick(['B', 'v2', '(new)', 'Q4'])}` } },
      says: random.pick(['New name for the next test.', 'Renames the campaign.', null]),
    }),
  },
  'a bid 10% higher': scaled('payout', [1.05, 1.1, 1.15], (percent) => [
    `Raises the bid by ${percent}% to win back the position.`,
    `Raises the bid by ${percent}% for good traffic.`,
  ]),
  'a lower bid': scaled('payout', [0.9, 0.8, 0.95], (percent) => [
    `Lowers the bid by ${percent}%: the position stays.`,
    `Lowers the bid by ${percent}%, as prices have fallen.`,
  ]),
  'a daily budget 20 % higher': scaled('d_revenue', [1.1, 1.2], (percent) => [
    `Raises the daily budget by ${percent}%: it is used up by 16:00.`,
    `${percent}% more a day, as agreed on Monday.`,
  ]),
  'a lower daily budget': scaled('d_revenue', [0.8, 0.9], (percent) => [
    `Lowers the daily budget by ${percent}%.`,
    `${percent}% less a day: it was not used up.`,
  ]),
  'a total budget a little higher': scaled('t_revenue', [1.1, 1.2], (percent) => [
    `Raises the total budget by ${percent}% so that it lasts until the end.`,
  ]),
  'a daily budget $1,200 higher': dearBudget,
  'a pause': pause,
  'a removal': {
    vary: ({ random }) => ({
      change: { fields: { status: 2 } },
      says: random.pick(['The offer has ended. Removes the campaign.', 'An old test: removes it.']),
    }),
  },
  'a restart at $25 a day without an end': restart,
  ...goodTraffic,
};
