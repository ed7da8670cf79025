import { type Chain, type Draft, goodChains, type Making } from '../draft.ts';
import { dateAfter } from '../settled.ts';
import type { Subject } from '../subject.ts';
import { beyondLimit, everyClick, overpaid } from '../traffic.ts';
import {
  amountText,
  bidText,
  hasClickUrl,
  numberOf,
  onHost,
  over,
  textsOf,
  times,
} from '../variations/variation.ts';

type Contradiction = (making: Making) => Draft;

/** Changes whose words say something else, and good ones whose words are true. */
export function wordsChains(making: Making): Chain[] {
  const { random } = making;
  return [
    ...random
      .shuffled(contradictions)
      .slice(0, random.integer(2, 3))
      .map((contradict) => [contradict(making)]),
    ...goodChains(
      [
        'a bid 10% higher',
        'a lower bid',
        'a daily budget 20 % higher',
        'a country more',
        'a pause',
        'an earlier end',
      ],
      random.integer(4, 6),
      making,
    ),
  ];
}

function contradicting(
  subject: Subject,
  fields: Extract<Draft['write'], { kind: 'update' }>['fields'],
  words: { says: string; what: string; where: string; costPerDayMicros: number | null },
): Draft {
  const { says, ...wrong } = words;
  return {
    subjects: [subject],
    write: { kind: 'update', cid: subject.cid, fields },
    says,
    fault: { kind: 'words', ...wrong },
  };
}

const budgetRaised: Contradiction = ({ pool, random }) => {
  const subject = pool.take();
  const [daily, total] = [numberOf(subject, 'd_revenue'), numberOf(subject, 't_revenue')];
  const fields = { d_revenue: daily * 10, t_revenue: total * 10 };
  return contradicting(subject, fields, {
    says: random.pick([
      'Lowers the daily budget by 10% for the weekend, as agreed.',
      'Takes 10% off the daily budget.',
    ]),
    what: 'The words say 10% less. The daily budget becomes ten times as high.',
    where: `The daily budget said ${amountText(daily)} → ${amountText(daily * 10)}.`,
    costPerDayMicros: beyondLimit(subject.campaign, over(subject, fields)),
  });
};

const bidRaised: Contradiction = ({ pool, random }) => {
  const subject = pool.take();
  const bid = numberOf(subject, 'payout');
  const to = times(bid, random.pick([2, 2.5, 3]));
  return contradicting(
    subject,
    { payout: to },
    {
      says: random.pick(['Lowers the bid by 5%.', 'A slightly lower bid, as prices fell.']),
      what: 'The words say a lower bid. The bid is raised.',
      where: `The bid said ${bidText(bid)} → ${bidText(to)}.`,
      costPerDayMicros: overpaid(subject.campaign, over(subject, { payout: to })),
    },
  );
};

const switchedOn: Contradiction = ({ pool, random }) => {
  const subject = pool.with(pool.take(), {
    status: 3,
    d_revenue: random.pick([300, 400, 500]),
    t_revenue: 0,
  });
  return contradicting(
    subject,
    { status: 1 },
    {
      says: random.pick(['Makes sure that it stays paused.', 'Pauses the campaign for good.']),
      what: 'The words say paused. The campaign is activated.',
      where: `The status said Paused → Active, with ${amountText(numberOf(subject, 'd_revenue'))} per day at risk.`,
      costPerDayMicros: everyClick(subject.campaign),
    },
  );
};

const countryDropped: Contradiction = ({ pool, random }) => {
  const subject = pool.take();
  const countries = textsOf(subject, 'geo');
  const dropped = random.pick(countries);
  const fields = { geo: countries.filter((country) => country !== dropped) };
  return contradicting(subject, fields, {
    says: random.pick(['Adds a country, as agreed.', `Adds EE to ${countries.join(', ')}.`]),
    what: `The words say one country more. ${dropped} is dropped.`,
    where: `The list of countries said “− ${dropped}”, and nothing was added.`,
    costPerDayMicros: null,
  });
};

const endGone: Contradiction = ({ pool, random, day }) => {
  const subject = pool.with(pool.take(), { expire: dateAfter(day, random.integer(12, 20)) });
  return contradicting(
    subject,
    { expire: '', expire_time: '' },
    {
      says: random.pick(['Ends it five days earlier.', 'Moves the end to this Friday.']),
      what: 'The words say an earlier end. The end is removed.',
      where: 'The last day became “No end”.',
      costPerDayMicros: everyClick(subject.campaign),
    },
  );
};

const otherHost: Contradiction = ({ pool, random }) => {
  const subject = pool.take(hasClickUrl);
  const host = random.pick(['fast-redirect.example', 'go-click.example', 'best-offers.example']);
  const clickurl = onHost(subject, host);
  return contradicting(
    subject,
    { clickurl },
    {
      says: random.pick(['New path of the landing page, same host.', 'Corrects a typing error in the path.']),
      what: `The words say the same host. The clicks go to ${host}.`,
      where: `The largest figure named ${host}.`,
      costPerDayMicros: everyClick(subject.campaign),
    },
  );
};

const contradictions: readonly Contradiction[] = [
  budgetRaised,
  bidRaised,
  switchedOn,
  countryDropped,
  endGone,
  otherHost,
];
