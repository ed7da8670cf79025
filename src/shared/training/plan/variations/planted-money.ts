import { dateAfter, bidBetween } from '../settled.ts';
import { beyondLimit, everyClick, overpaid } from '../traffic.ts';
import {
  amountText,
  bidText,
  numberOf,
  over,
  type PlantedVariation,
  type Scene,
  times,
  type Varied,
} from './variation.ts';

function farBid(factor: number, says: readonly string[]): PlantedVariation['vary'] {
  return ({ subject, random }) => {
    const { minBid, maxBid } = subject.type;
    const from = bidBetween(minBid, maxBid / factor, random);
    const to = times(from, factor);
    const [before, after] = [over(subject, { payout: from }), over(subject, { payout: to })];
    return {
      before: { payout: from },
      change: { fields: { payout: to } },
      says: random.pick(says),
      wrong: {
        what: `The bid becomes ${factor === 10 ? 'ten' : 'a hundred'} times as high.`,
        where: `The largest figure said ×${factor}: ${bidText(from)} → ${bidText(to)}.`,
        costPerDayMicros: overpaid(before, after),
      },
    };
  };
}

const bidControl: PlantedVariation['vary'] = ({ subject, random }) => {
  const bid = numberOf(subject, 'payout');
  const control = { dimension: 'subid', value: String(random.integer(10_000, 99_999)), mode: 'multiply' };
  const entry = {
    id: random.integer(10_000, 99_999),
    ...control,
    factor: 1.2,
    bid: times(bid, 1.2),
    priority: 1,
  };
  const raised = { ...entry, bid: times(entry.bid, 1000) };
  return {
    before: { bidControl: [entry] },
    change: { fields: { bidControl: [raised] } },
    says: random.pick([
      `Fine-tunes the bid of sub-id ${control.value}.`,
      `Sub-id ${control.value} converts well: its bid control goes up a little.`,
    ]),
    wrong: {
      what: 'A bid control becomes a thousand times as high.',
      where: `The largest figure said ×1,000: ${entry.bid} → ${raised.bid}.`,
      costPerDayMicros: overpaid(over(subject, { payout: entry.bid }), over(subject, { payout: raised.bid })),
    },
  };
};

const noLimit: PlantedVariation['vary'] = ({ subject, random }) => ({
  change: { fields: { enable_budget: 0 } },
  says: random.pick([
    'Cleans up the budget settings.',
    'The pacing does the work of the budget here. Simplifies the setup.',
    null,
  ]),
  wrong: {
    what: 'Budgets are switched off: nothing limits a day.',
    where: 'The money at risk said “Unlimited” per day.',
    costPerDayMicros: beyondLimit(subject.campaign, over(subject, { enable_budget: 0 })),
  },
});

/** A daily budget of 0 is no update that the service takes while budgets are on, so they go off. */
const noLimitWhilePaused: PlantedVariation['vary'] = ({ subject, random }) => ({
  before: { status: 3 },
  change: { fields: { enable_budget: 0 } },
  says: random.pick([
    'Paused anyway: removes its old budgets.',
    'Resets the budget of a paused campaign before the next test.',
  ]),
  wrong: {
    what: 'Budgets of a paused campaign are switched off: the next activation spends without a limit.',
    where:
      'The largest figure said “Budget limits: On → Off”, although nothing is at risk while it is paused.',
    costPerDayMicros: beyondLimit(subject.campaign, over(subject, { enable_budget: 0 })),
  },
});

function activation({ subject, random, day }: Scene, status: 2 | 3): Varied & { cost: number } {
  const daily = random.pick([400, 500, 600, 750, 900]);
  const name = status === 2 ? subject.name : `HOLD · ${subject.name}`;
  const before = {
    name,
    status,
    d_revenue: daily,
    t_revenue: times(daily, random.pick([5, 10, 20])),
    expire: dateAfter(day, random.integer(25, 60)),
  };
  return {
    before,
    change: { status: 'active' },
    says: random.pick([
      'Switches it on again: it looks forgotten.',
      'Good results in spring. Restarts it.',
      'All tests are done, back to active.',
    ]),
    cost: everyClick(over(subject, before)),
  };
}

const activated: PlantedVariation['vary'] = (scene) => {
  const { cost, ...varied } = activation(scene, 3);
  return {
    ...varied,
    wrong: {
      what: 'A campaign on hold starts to spend.',
      where: `Its name begins with HOLD, and the money at risk said ${amountText(cost / 1e6)} per day.`,
      costPerDayMicros: cost,
    },
  };
};

const removedActivated: PlantedVariation['vary'] = (scene) => {
  const { cost, ...varied } = activation(scene, 2);
  return {
    ...varied,
    wrong: {
      what: 'A campaign that was removed comes back and spends.',
      where: 'The largest figure said “Suspended → Active”.',
      costPerDayMicros: cost,
    },
  };
};

/** Faults of the money, by the names of their cases. */
export const plantedMoney: Readonly<Record<string, PlantedVariation>> = {
  'slipped decimal point': {
    kind: 'bid',
    vary: farBid(10, [
      'Competitors bid a little more here. A small raise brings the position back.',
      'Raises the bid slightly.',
      'A bit more bid for the weekend.',
    ]),
  },
  'a hundred times the bid': {
    kind: 'bid',
    fits: ({ type: { minBid, maxBid } }) => maxBid / 100 >= 2 * minBid,
    vary: farBid(100, ['Sets the bid in cents.', 'Adjusts the bid to the market.', 'Corrects the bid.']),
  },
  'bid control times a thousand': {
    kind: 'bid',
    fits: ({ kind }) => kind.pricing !== 'CPM',
    vary: bidControl,
  },
  'no limit': { kind: 'limits', vary: noLimit },
  'no daily limit while paused': { kind: 'limits', vary: noLimitWhilePaused },
  activation: { kind: 'activation', vary: activated },
  'removed campaign activated': { kind: 'activation', vary: removedActivated },
};
