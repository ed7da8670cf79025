import { fieldLabel, type ChangeView } from '#shared/campaign/index.ts';
import { formatBid, toDecimal } from '#shared/lib/decimal.ts';
import { knownOf, unknownField, type Rule } from '../asked.ts';

/** Exactly, by the amounts that the person would see. What makes a bid incomparable does not pass either. */
export const maxBidFactor: Rule = (asked) => {
  const { maxBidFactor: factor } = asked.guardrails;
  if (factor === null) return null;
  const limit = `One change may raise a bid to ${factor} times the current one at most.`;
  if (knownOf(asked) !== 'all') return `${limit} Countersign cannot tell what this call would do to it.`;
  const unknown = unknownField(asked.words.changes);
  if (unknown !== null) return `${limit} Countersign cannot tell what ${fieldLabel(unknown)} does to it.`;
  for (const change of asked.words.changes) {
    const problem = problemOf(change, factor);
    if (problem !== null) return `${limit} ${problem}`;
  }
  return null;
};

function problemOf(change: ChangeView, factor: number): string | null {
  switch (change.field.split('.').at(-1)) {
    case 'payout':
      return bidProblem(change, factor);
    case 'type':
      return 'With another campaign type the same bid means something else; leave the type as it is.';
    case 'bidControl':
      return 'Countersign cannot tell what bid controls do to it; leave them as they are.';
    default:
      return null;
  }
}

function bidProblem({ before, after, amounts }: ChangeView, factor: number): string | null {
  if (amounts === undefined) return 'Countersign cannot compare these bids.';
  const from = BigInt(amounts.before);
  const to = BigInt(amounts.after);
  if (to <= from) return null;
  if (from <= 0n) return `There is no bid to compare ${after} with.`;
  const { digits, exponent } = toDecimal(factor);
  const highest =
    exponent < 0 ? (from * digits) / 10n ** BigInt(-exponent) : from * digits * 10n ** BigInt(exponent);
  return to <= highest ? null : `${before} → ${after} is more; up to ${formatBid(highest)} passes.`;
}
