import type { CampaignContext } from '../../contract/index.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import type { ServiceMoment, StatusGroup, Exposure, FieldEffect } from '../../campaign/index.ts';
import type { Headline } from '../effects.ts';
import type { WarningCode } from '../severities.ts';
import { factorText, toMicros, typedText } from '../../lib/decimal.ts';
import type { Formats } from '../../lib/formats.ts';
import type { Sentence } from '../../lib/sentence.ts';

export interface Update {
  before: JsonObject;
  after: JsonObject;
  changes: readonly FieldEffect[];
  context: CampaignContext;
  stoppedAs?: readonly StatusGroup[];
  today: ServiceMoment;
  exposureBefore: Exposure;
  exposureAfter: Exposure;
}

export type Figure = Headline & { before: string };

/** Marks the figure of an amount that is raised by less than a half. */
export function quietBelowHalf({ from, to }: AmountChange): Pick<Figure, 'isQuiet'> {
  return from > 0 && to < 1.5 * from ? { isQuiet: true } : {};
}

/** A kind of risk that was found; its severity is in the table of severities. */
export interface Mark {
  code: WarningCode;
  text: Sentence;
  /** The field whose change it is; absent where several, or the money of the whole campaign, are meant. */
  field?: string;
  /** Shows it; `money` where one of the figures of the money at risk, or the bid, does. */
  figure?: Figure | 'money';
  /** The value that a person types for a danger, as shown on the screen; the campaign's id where it is absent. */
  typed?: string;
}

/** One kind of risk: what it says about the update. */
export type Risk = (update: Update, formats: Formats) => Mark[];

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

/** The first of these fields that changes. */
export function changedAmong(
  { changes }: Pick<Update, 'changes'>,
  fields: readonly string[],
): { field?: string } {
  const field = fields.find((name) => changes.some((change) => change.field === name));
  return field === undefined ? {} : { field };
}

/** Both bids, when the new one is a finite number and they differ. A bid that was no number is none to compare with. */
export function changedBid(update: Update): AmountChange | null {
  const [from, to] = [own(update.before, 'payout'), own(update.after, 'payout')];
  if (typeof from === 'number' || typeof to !== 'number') return changedAmount(update, 'payout');
  return Number.isFinite(to) ? { from: 0, to } : null;
}

/** The amount to type for a danger; an amount that is longer than a trillion with its cents gives way to the campaign's id. */
export function typedAmount(amount: number, decimals: number): Pick<Mark, 'typed'> {
  const typed = typedText(toMicros(amount), decimals);
  return typed.length <= maxTyped ? { typed } : {};
}

const maxTyped = 16;

/** The factor as it is read after a comma: `10`, not `×10`. */
export function timesText({ from, to }: AmountChange, formats: Formats): string {
  return (factorText(from, to, formats) ?? '').replace('×', '');
}
