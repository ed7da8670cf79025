import { formatBid, formatMoney, toMicros } from '../../lib/decimal.ts';
import { isMovedPoint } from '../../lib/factor.ts';
import { fieldLabel } from '../fields/labels.ts';
import type { Warning } from '../types.ts';
import { changedAmount, type Risk } from './subject.ts';

/** The amounts that are typed by hand, as they are written. */
const amounts = [
  { field: 'payout', format: formatBid },
  { field: 'd_revenue', format: formatMoney },
  { field: 't_revenue', format: formatMoney },
];

/** An amount that is the old one with its decimal point moved: more likely a slip of a finger or of a model than a wish. */
export const slipRisk: Risk = (update) =>
  amounts.flatMap(({ field, format }): Warning[] => {
    const change = changedAmount(update, field);
    if (change === null || !isMovedPoint(change.from, change.to)) return [];
    const [from, to] = [format(toMicros(change.from)), format(toMicros(change.to))];
    const severity = change.to > change.from ? 'danger' : 'warning';
    const text = `${fieldLabel(field)} looks like a slipped decimal point: ${from} → ${to}.`;
    return [{ code: 'decimal_slip', severity, text }];
  });
