import { formatBid, isAtLeastTimes, toMicros } from '../../lib/decimal.ts';
import { changedBid, type Risk, type Update } from './subject.ts';
import { timesText } from './times-text.ts';

/** True when the new bid is ten times the old one or more, exactly, or is some where there was none. */
export function isBidTenfold(update: Update): boolean {
  const bid = changedBid(update);
  return bid !== null && (isFromZero(bid) || isAtLeastTimes(bid.from, bid.to, 10n));
}

/** A bid twice as high or more; ten times or more, or from nothing, is danger. */
export const bidRisk: Risk = (update) => {
  const bid = changedBid(update);
  if (bid === null) return [];
  const [from, to] = [formatBid(toMicros(bid.from)), formatBid(toMicros(bid.to))];
  if (isFromZero(bid)) {
    return [
      {
        code: 'bid_from_zero',
        severity: 'danger',
        text: `The bid becomes ${to} instead of ${from}.`,
        figure: { label: 'Bid', before: from, after: to },
      },
    ];
  }
  if (!isAtLeastTimes(bid.from, bid.to, 2n)) return [];
  const text = `The bid becomes ${to}, ${timesText(bid)} times the current one.`;
  return isBidTenfold(update)
    ? [{ code: 'bid_tenfold', severity: 'danger', text, figure: 'money' }]
    : [{ code: 'bid_doubled', severity: 'warning', text, figure: 'money' }];
};

/** No ratio tells how much such a bid grows. */
function isFromZero({ from, to }: { from: number; to: number }): boolean {
  return from <= 0 && to > 0;
}
