import { type Chain, type Draft, goodChains, type Making } from '../draft.ts';
import { beyondLimit, overpaid } from '../traffic.ts';
import { amountText, bidText, numberOf, over, times } from '../variations/variation.ts';

const raises = [
  { field: 'd_revenue', name: 'daily budget', factor: 1.2, text: amountText, cost: beyondLimit },
  { field: 'payout', name: 'bid', factor: 1.15, text: bidText, cost: overpaid },
  { field: 'd_revenue', name: 'daily budget', factor: 1.3, text: amountText, cost: beyondLimit },
] as const;

/** Raises whose answer is lost after the service stored them, each followed by the same raise again. */
export function noAnswerChains(making: Making): Chain[] {
  const { random } = making;
  return [
    ...random
      .shuffled(raises)
      .slice(0, 2)
      .map((raise) => raisedTwice(raise, making)),
    ...goodChains(
      ['a lower bid', 'a pause', 'a country more', 'a few hours more', 'a new name', 'an earlier end'],
      random.integer(3, 5),
      making,
    ),
  ];
}

function raisedTwice(
  { field, name, factor, text, cost }: (typeof raises)[number],
  { pool, random }: Making,
): Draft[] {
  const subject = pool.take();
  const from = numberOf(subject, field);
  const once = times(from, factor);
  const twice = Number(times(once, factor).toPrecision(4));
  const percent = Math.round((factor - 1) * 100);
  const step = { subjects: [subject], afterOthers: true } as const;
  const write = (value: number): Draft['write'] => ({
    kind: 'update',
    cid: subject.cid,
    fields: { [field]: value },
  });
  return [
    {
      ...step,
      write: write(once),
      says: `Raises the ${name} by ${percent}%, as agreed.`,
      incident: { at: 'before', incident: { kind: 'lost-answer' } },
      fault: null,
    },
    {
      ...step,
      write: write(twice),
      says: random.pick([
        'The service did not answer. Again.',
        `No answer came, so the raise by ${percent}% is missing. Sends it again.`,
      ]),
      fault: {
        kind: 'noAnswer',
        what: `The first raise was stored, only its answer was lost. The second one raises the ${name} twice.`,
        where: `The old value was ${text(once)} already, not ${text(from)}, and the last change was minutes old.`,
        costPerDayMicros: cost(over(subject, { [field]: once }), over(subject, { [field]: twice })),
        alone: {
          what: `The first raise was not stored, and this one raises the ${name} by more than ${percent}%.`,
          where: `The headline said ${text(from)} → ${text(twice)}.`,
        },
      },
    },
  ];
}
