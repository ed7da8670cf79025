import type { CampaignContext } from '../../contract/index.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import type { ServiceMoment } from '../calendar.ts';
import type { Exposure, FieldEffect, Warning } from '../types.ts';

/** A full update with its effects, as each risk weighs it. */
export interface Update {
  before: JsonObject;
  after: JsonObject;
  /** The effect on every field that differs. */
  changes: readonly FieldEffect[];
  context: CampaignContext;
  /** The moment at which the exposures were counted. */
  today: ServiceMoment;
  exposureBefore: Exposure;
  exposureAfter: Exposure;
}

/** A change in one line, for the largest place on the page: `Countries`, `1 entry`, `240 entries`. */
export interface Figure {
  label: string;
  before: string;
  after: string;
}

/** A warning with the figure that shows it; `money` where one of the figures of the money at risk, or the bid, does. */
export interface Mark extends Warning {
  figure?: Figure | 'money';
}

/** One kind of risk: what it says about the update. */
export type Risk = (update: Update) => Mark[];

/** An amount that changes, both finite numbers. */
export interface AmountChange {
  from: number;
  to: number;
}

/** Both values of a field, when both are finite numbers and they differ. */
export function changedAmount({ before, after }: Update, field: string): AmountChange | null {
  const from = own(before, field);
  const to = own(after, field);
  if (typeof from !== 'number' || typeof to !== 'number' || from === to) return null;
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : null;
}

/** Both bids, when the new one is a finite number and they differ. A bid that was no number is none to compare with. */
export function changedBid(update: Update): AmountChange | null {
  const [from, to] = [own(update.before, 'payout'), own(update.after, 'payout')];
  if (typeof from === 'number' || typeof to !== 'number') return changedAmount(update, 'payout');
  return Number.isFinite(to) ? { from: 0, to } : null;
}

const weights = { danger: 0, warning: 1, notice: 2 } as const;

/** For sorting: dangers first, and within one severity the order that there is. */
export function bySeverity(a: Warning, b: Warning): number {
  return weights[a.severity] - weights[b.severity];
}
