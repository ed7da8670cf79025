import { isAtLeastTimes, isMovedPoint, toMicros } from '../../lib/decimal.ts';
import { own } from '../../lib/json/json-value.ts';
import { fieldLabel, fieldWords, runs } from '../../campaign/index.ts';
import {
  changedAmount,
  changedBid,
  type Mark,
  type Risk,
  type Update,
  typedAmount,
  timesText,
} from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

function isBidTenfold(update: Update): boolean {
  const bid = changedBid(update);
  return bid !== null && (isFromZero(bid) || isAtLeastTimes(bid.from, bid.to, 10n));
}

/** Twice as high is a warning; ten times, or from nothing, a danger. */
export const bidRisk: Risk = (update, formats: Formats) => {
  const bid = changedBid(update);
  if (bid === null) return [];
  const [from, to] = [formats.bid(toMicros(bid.from)), formats.bid(toMicros(bid.to))];
  if (isFromZero(bid)) {
    return [
      {
        code: 'bid_from_zero',
        field: 'payout',
        ...typedAmount(bid.to, 3),
        text: sentence`The bid becomes ${ownWords(to)} instead of ${ownWords(from)}.`,
        figure: { label: 'Bid', before: from, after: to },
      },
    ];
  }
  if (!isAtLeastTimes(bid.from, bid.to, 2n)) return [];
  const text = sentence`The bid becomes ${ownWords(to)}, ${ownWords(timesText(bid, formats))} times the current one.`;
  return isBidTenfold(update)
    ? [{ code: 'bid_tenfold', field: 'payout', ...typedAmount(bid.to, 3), text, figure: 'money' }]
    : [{ code: 'bid_doubled', field: 'payout', text, figure: 'money' }];
};

/** No ratio tells how much it grows. */
function isFromZero({ from, to }: { from: number; to: number }): boolean {
  return from <= 0 && to > 0;
}

const amounts = [
  { field: 'payout', format: 'bid', places: 3 },
  { field: 'd_revenue', format: 'money', places: 2 },
  { field: 't_revenue', format: 'money', places: 2 },
] as const;

/** A moved decimal point is more likely a slip of a finger or a model than a wish. */
export const slipRisk: Risk = (update, formats: Formats) =>
  amounts.flatMap(({ field, format, places }): Mark[] => {
    const change = changedAmount(update, field);
    if (change === null || !isMovedPoint(change.from, change.to)) return [];
    const [from, to] = [formats[format](toMicros(change.from)), formats[format](toMicros(change.to))];
    const rises = change.to > change.from;
    // The money at risk or the bid's factor shows it already.
    const isShown = rises && (field === 'payout' || runs(own(update.before, 'status')));
    const figure = isShown ? 'money' : { label: fieldLabel(field), before: from, after: to };
    const text = sentence`${fieldWords(field)} looks like a slipped decimal point: ${ownWords(from)} → ${ownWords(to)}.`;
    return rises
      ? [{ code: 'decimal_slip', field, text, figure, ...typedAmount(change.to, places) }]
      : [{ code: 'decimal_slip_down', field, text, figure }];
  });
