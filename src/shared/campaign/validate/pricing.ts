import { formatBid, toMicros } from '../../lib/decimal.ts';
import { checkNumber } from './checks.ts';
import type { Rule } from './subject.ts';

/** The bid stands within the bounds of the selected type, both included (contract §2.4, §8). */
export const checkPricing: Rule = (subject, report) => {
  const payout = checkNumber(subject, 'payout', report);
  if (payout === null || subject.type === undefined) return;
  const { minBid, maxBid } = subject.type;
  if (payout >= minBid && payout <= maxBid) return;
  const bounds = `${formatBid(toMicros(minBid))} and ${formatBid(toMicros(maxBid))}`;
  report('payout', 'out_of_range', `Bid must be between ${bounds}.`);
};
