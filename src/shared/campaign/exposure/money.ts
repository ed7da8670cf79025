import type { Money } from '../types.ts';

export const unlimited: Money = { kind: 'unlimited' };

export const noMoney: Money = { kind: 'amount', micros: 0n };

/** The smaller of two; unlimited is larger than any amount. */
export function lesser(a: Money, b: Money): Money {
  if (a.kind === 'unlimited') return b;
  if (b.kind === 'unlimited') return a;
  return a.micros <= b.micros ? a : b;
}

/** The sum; unlimited when either is. */
export function plus(a: Money, b: Money): Money {
  if (a.kind === 'unlimited' || b.kind === 'unlimited') return unlimited;
  return { kind: 'amount', micros: a.micros + b.micros };
}

/** So many times the amount; none at all is nothing, even of what is unlimited. */
export function timesDays(money: Money, days: number): Money {
  if (days === 0) return noMoney;
  return money.kind === 'unlimited' ? unlimited : { kind: 'amount', micros: money.micros * BigInt(days) };
}
