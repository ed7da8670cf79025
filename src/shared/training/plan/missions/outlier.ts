import { type Draft, goodChains, type Making } from '../draft.ts';
import type { Subject } from '../subject.ts';
import { beyondLimit, overpaid } from '../traffic.ts';
import { amountText, bidText, numberOf, over, times } from '../variations/variation.ts';

const count = 50;

/** The change that fifty campaigns get, and the words for it. */
const rounds = [
  { field: 'payout', factor: 1.1, says: 'Raises all bids by 10%.' },
  { field: 'payout', factor: 0.9, says: 'Lowers all bids by 10%.' },
  { field: 'd_revenue', factor: 1.2, says: 'Raises all daily budgets by 20%.' },
] as const;

/** Forty-nine equal changes with one that only looks equal, at once, between a few others. */
export function outlierChain(making: Making): Draft[] {
  const { random, pool } = making;
  const { field, factor, says } = random.pick(rounds);
  const odd = random.integer(5, count - 3);
  const burst = Array.from({ length: count }, (_each, at): Draft => {
    const subject = pool.take();
    const value = numberOf(subject, field);
    const to = times(value, at === odd ? 10 : factor);
    const write = { kind: 'update', cid: subject.cid, fields: { [field]: to } } as const;
    const step = { subjects: [subject], write, says, isQuick: true } as const;
    return at === odd
      ? { ...step, fault: oddFault(subject, field, to) }
      : { ...step, fault: null, series: 'equal' };
  });
  const others = goodChains(
    ['a new name', 'a pause', 'a country fewer', 'an earlier end', 'more blocked addresses'],
    random.integer(3, 5),
    making,
  ).flat();
  const before = random.integer(1, 2);
  return [...others.slice(0, before), ...burst, ...others.slice(before)];
}

function oddFault(subject: Subject, field: 'payout' | 'd_revenue', to: number): Draft['fault'] {
  const after = over(subject, { [field]: to });
  const from = numberOf(subject, field);
  const [name, before, now, costPerDayMicros] =
    field === 'payout'
      ? ['bid', bidText(from), bidText(to), overpaid(subject.campaign, after)]
      : ['daily budget', amountText(from), amountText(to), beyondLimit(subject.campaign, after)];
  return {
    kind: 'outlier',
    what: `One of fifty changes is not equal: its ${name} becomes ten times as high.`,
    where: `It stood outside of the group of 49, with ×10: ${before} → ${now}.`,
    costPerDayMicros,
  };
}
