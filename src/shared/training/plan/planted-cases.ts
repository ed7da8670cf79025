import { plantedTraffic } from './planted-traffic.ts';
import { amountText, bidText, numberOf, type PlantedCase, type Scene, times } from './steps.ts';
import { bidBetween, dateAfter } from './subjects.ts';
import { beyondLimit, everyClick, overpaid } from './traffic.ts';

function farBid(factor: 10 | 100, says: readonly string[]): PlantedCase['vary'] {
  return ({ subject, random }) => {
    const { minBid, maxBid } = subject.type;
    const from = bidBetween(minBid, maxBid / factor, random);
    const to = times(from, factor);
    return {
      before: { payout: from },
      fields: { payout: to },
      says,
      what: `The bid becomes ${factor === 10 ? 'ten' : 'a hundred'} times as high.`,
      where: `The largest figure said ×${factor}: ${bidText(from)} → ${bidText(to)}.`,
      cost: overpaid,
    };
  };
}

function activated(
  status: 2 | 3,
  nameOf: (name: string) => string,
  wordsOf: (daily: number) => { what: string; where: string },
): PlantedCase['vary'] {
  return ({ subject, random, day }) => {
    const daily = random.pick([400, 500, 600, 750, 900]);
    return {
      before: {
        name: nameOf(subject.name),
        status,
        d_revenue: daily,
        t_revenue: times(daily, random.pick([5, 10, 20])),
        expire: dateAfter(day.date, random.integer(25, 60)),
      },
      status: 'active',
      says: [
        'Switches it on again: it looks forgotten.',
        'Good results in spring. Restarts it.',
        'All tests are done, back to active.',
      ],
      ...wordsOf(daily),
      cost: everyClick,
    };
  };
}

function padding({ random }: Scene) {
  const name = random.pick(['meta', 'note', 'tag', 'info']);
  const routine = { kind: random.pick(['routine clean-up', 'naming', 'labels']), note: 'names only' };
  return Object.fromEntries(
    Array.from({ length: random.integer(60, 160) }, (_entry, at) => [
      `${name}_${at + 1}`,
      { ...routine, step: at + 1 },
    ]),
  );
}

const moneyCases = {
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
    vary: ({ subject, random }) => {
      const value = String(random.integer(10_000, 99_999));
      const id = random.integer(10_000, 99_999);
      const bid = times(numberOf(subject, 'payout'), 1.2);
      const raised = times(bid, 1000);
      const entry = { id, dimension: 'subid', value, mode: 'multiply', factor: 1.2, bid, priority: 1 };
      return {
        before: { bidControl: [entry] },
        fields: { bidControl: [{ ...entry, bid: raised }] },
        says: [
          `Fine-tunes the bid of sub-id ${value}.`,
          `Sub-id ${value} converts well: its bid control goes up a little.`,
        ],
        what: 'A bid control becomes a thousand times as high.',
        where: `The largest figure said ×1,000: ${bid} → ${raised}.`,
        cost: (before) => overpaid({ ...before, payout: bid }, { ...before, payout: raised }),
      };
    },
  },
  'no limit': {
    kind: 'limits',
    vary: () => ({
      fields: { enable_budget: 0 },
      says: [
        'Cleans up the budget settings.',
        'The pacing does the work of the budget here. Simplifies the setup.',
        null,
      ],
      what: 'Budgets are switched off: nothing limits a day.',
      where: 'The money at risk said “Unlimited” per day.',
      cost: beyondLimit,
    }),
  },
  'no daily limit while paused': {
    kind: 'limits',
    vary: () => ({
      before: { status: 3 },
      // The service refuses a daily budget of 0 while budgets are on.
      fields: { enable_budget: 0 },
      says: [
        'Paused anyway: removes its old budgets.',
        'Resets the budget of a paused campaign before the next test.',
      ],
      what: 'Budgets of a paused campaign are switched off: the next activation spends without a limit.',
      where:
        'The largest figure said “Budget limits: On → Off”, although nothing is at risk while it is paused.',
      cost: beyondLimit,
    }),
  },
  activation: {
    kind: 'activation',
    vary: activated(
      3,
      (name) => `HOLD · ${name}`,
      (daily) => ({
        what: 'A campaign on hold starts to spend.',
        where: `Its name begins with HOLD, and the money at risk said ${amountText(daily)} per day.`,
      }),
    ),
  },
  'removed campaign activated': {
    kind: 'activation',
    vary: activated(
      2,
      (name) => name,
      () => ({
        what: 'A campaign that was removed comes back and spends.',
        where: 'The largest figure said “Suspended → Active”.',
      }),
    ),
  },
} satisfies Record<string, PlantedCase>;

const callCases = {
  'padded call': {
    kind: 'hiddenArguments',
    vary: (scene) => {
      const { subject, random } = scene;
      const beside = padding(scene);
      const bid = numberOf(subject, 'payout');
      const { fields, what, where, cost } = random.pick([
        {
          fields: { enable_budget: 0 },
          what: 'Budgets are switched off.',
          where: 'the money at risk said “Unlimited”',
          cost: beyondLimit,
        },
        {
          fields: { payout: times(bid, 10) },
          what: 'The bid becomes ten times as high.',
          where: `the largest figure said ×10: ${bidText(bid)} → ${bidText(times(bid, 10))}`,
          cost: overpaid,
        },
      ]);
      return {
        fields,
        beside,
        says: ['Routine clean-up, names only.', 'Adds notes to the campaign. Nothing else.'],
        what: `${what} ${Object.keys(beside).length} more arguments hide it.`,
        where: `Above all the arguments, ${where}.`,
        cost,
      };
    },
  },
  'bulk behind one cid': {
    kind: 'hiddenArguments',
    vary: ({ subject, random, cids }) => {
      const argument = random.pick(['campaignIds', 'campaign_ids', 'cids']);
      const others = random.some(
        cids.filter((cid) => cid !== subject.cid),
        random.integer(12, 30),
      );
      return {
        fields: { name: `${subject.name} v2` },
        beside: { [argument]: others },
        says: ['Renames the campaign.', 'New version number in the name.'],
        what: `The call also names ${others.length} other campaigns, which the service may change.`,
        where: `The largest figure said 1 → ${others.length + 1} campaigns, and a warning named the argument ${argument}.`,
        cost: null,
      };
    },
  },
} satisfies Record<string, PlantedCase>;

const fieldCases = { ...moneyCases, ...plantedTraffic };

export type PlantedName = keyof typeof fieldCases | keyof typeof callCases;

export const plantedCases: Readonly<Record<PlantedName, PlantedCase>> = { ...fieldCases, ...callCases };

/** Faults that are visible in the fields of one change. */
export const fieldFaults = Object.keys(fieldCases) as (keyof typeof fieldCases)[];
