import { formatBid, formatMoney, isMovedPoint, toMicros } from '../../lib/decimal.ts';
import { fieldLabel } from '../fields/labels.ts';
import { own } from '../../lib/json/json-value.ts';
import { runs } from '../runs.ts';
import { changedAmount, type Mark, type Risk } from './subject.ts';

/** The amounts that are typed by hand, as they are written. */
const amounts = [
  { field: 'payout', format: formatBid },
  { field: 'd_revenue', format: formatMoney },
  { field: 't_revenue', format: formatMoney },
];

/** An amount that is the old one with its decimal point moved: more likely a slip of a finger or of a model than a wish. */
export const slipRisk: Risk = (update) =>
  amounts.flatMap(({ field, format }): Mark[] => {
    const change = changedAmount(update, field);
    if (change === null || !isMovedPoint(change.from, change.to)) return [];
    const [from, to] = [format(toMicros(change.from)), format(toMicros(change.to))];
    const rises = change.to > change.from;
    // The figures of the money at risk, or the bid's factor, show it already.
    const isShown = rises && (field === 'payout' || runs(own(update.before, 'status')));
    const figure = isShown ? 'money' : { label: fieldLabel(field), before: from, after: to };
    const text = `${fieldLabel(field)} looks like a slipped decimal point: ${from} → ${to}.`;
    return [{ code: 'decimal_slip', severity: rises ? 'danger' : 'warning', text, figure }];
  });
