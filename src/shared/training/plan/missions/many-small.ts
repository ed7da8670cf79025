import { type Chain, type Draft, goodChains, type Making } from '../draft.ts';
import type { Subject } from '../subject.ts';
import { overpaid } from '../traffic.ts';
import { bidText, numberOf, over } from '../variations/variation.ts';

const count = 20;

/** A raise of one bid cut into twenty small ones, with good changes of other campaigns between. */
export function manySmallChains(making: Making): Chain[] {
  const { random, pool } = making;
  return [
    raises(pool.take(), making),
    ...goodChains(
      [
        'a lower bid',
        'a daily budget 20 % higher',
        'a pause',
        'a new name',
        'a country more',
        'an end five days later',
      ],
      random.integer(4, 6),
      making,
    ),
  ];
}

function raises(subject: Subject, { random }: Making): Draft[] {
  const from = numberOf(subject, 'payout');
  const percent = random.pick([4, 4.5, 5]);
  const bids = Array.from({ length: count }, (_each, at) =>
    Number((from * (1 + percent / 100) ** (at + 1)).toPrecision(4)),
  );
  const faultUpTo = (to: number): Draft['fault'] => ({
    kind: 'manySmall',
    what:
      to === bids.at(-1)
        ? `Twenty raises of ${percent}% make the bid ${(to / from).toFixed(1)} times as high.`
        : `Raises of ${percent}% made the bid ${(to / from).toFixed(1)} times as high.`,
    where: `Each raise began where the last one ended; at the start the bid was ${bidText(from)}.`,
    costPerDayMicros: overpaid(subject.campaign, over(subject, { payout: to })),
  });
  return bids.map((payout) => ({
    subjects: [subject],
    series: 'raises',
    afterOthers: true,
    write: { kind: 'update', cid: subject.cid, fields: { payout } },
    says: random.pick([
      `Raises the bid by ${percent}%.`,
      `A small step: ${percent}% more.`,
      `Still below the position that we want: ${percent}% more.`,
    ]),
    fault: faultUpTo(payout),
  }));
}
