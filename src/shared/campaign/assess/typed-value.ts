import { decimalText, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { isBidTenfold } from './bid.ts';
import { raisedBudget } from './budget.ts';
import { setsFree } from './money.ts';
import { changedBid, type Update } from './subject.ts';

/**
 * What a person types before Approve arms, or null. Spending without a limit asks for the campaign's id; a bid ten times
 * as high or from nothing asks for the new bid; and a budget ten times as high, or raised by much, for the new budget. An amount
 * that nobody types gives way to the id.
 */
export function typedValue(update: Update): { label: string; value: string } | null {
  const cid = own(update.after, 'cid');
  const id = typeof cid === 'number' ? String(cid) : null;
  if (setsFree(update) && id !== null) return toConfirm(id);
  const bid = changedBid(update);
  const budget = raisedBudget(update);
  const amount =
    bid !== null && isBidTenfold(update) ? amountText(bid.to, 3) : budget && amountText(budget.to, 2);
  if (amount === null) return null;
  return toConfirm(amount.length <= mostTyped ? amount : (id ?? amount));
}

/** So many characters of an amount are typed at most: a trillion with its cents. */
const mostTyped = 16;

function toConfirm(value: string): { label: string; value: string } {
  return { label: `Type ${value} to confirm`, value };
}

function amountText(amount: number, decimals: number): string {
  return decimalText(toMicros(amount), decimals).replaceAll(',', '');
}
