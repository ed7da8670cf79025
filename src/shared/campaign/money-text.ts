import { formatMoney } from '../lib/decimal.ts';
import type { Money } from './types.ts';

/** Money for people and for the app API: `$50.00` or `Unlimited`; micros as decimal text, empty when unlimited. */
export function moneyText(money: Money): { text: string; unlimited: boolean; micros: string } {
  if (money.kind === 'unlimited') return { text: 'Unlimited', unlimited: true, micros: '' };
  return { text: formatMoney(money.micros), unlimited: false, micros: money.micros.toString() };
}

/** The exact sum of money in words; one unlimited part makes it unlimited. */
export function sumMoneyTexts(
  parts: readonly { unlimited: boolean; micros: string }[],
): ReturnType<typeof moneyText> {
  if (parts.some(({ unlimited }) => unlimited)) return moneyText({ kind: 'unlimited' });
  return moneyText({ kind: 'amount', micros: parts.reduce((sum, { micros }) => sum + BigInt(micros), 0n) });
}
