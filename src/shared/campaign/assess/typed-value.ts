import { decimalText, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/own.ts';
import { isBidTenfold } from './bid.ts';
import { raisedBudget } from './budget.ts';
import { setsFree } from './money.ts';
import { changedBid, type Update } from './subject.ts';

/**
 * What a person types before Approve arms, or null. Spending without a limit asks for the campaign's id; a bid ten times
 * as high or from nothing asks for the new bid; and a budget ten times as high, or raised by much, for the new budget.
 */
export function typedValue(update: Update): { label: string; value: string } | null {
  const cid = own(update.after, 'cid');
  if (setsFree(update) && typeof cid === 'number') return toConfirm(String(cid));
  const bid = changedBid(update);
  if (bid !== null && isBidTenfold(update)) return toConfirm(amountText(bid.to, 3));
  const budget = raisedBudget(update);
  return budget === null ? null : toConfirm(amountText(budget.to, 2));
}

function toConfirm(value: string): { label: string; value: string } {
  return { label: `Type ${value} to confirm`, value };
}

function amountText(amount: number, decimals: number): string {
  return decimalText(toMicros(amount), decimals).replaceAll(',', '');
}
