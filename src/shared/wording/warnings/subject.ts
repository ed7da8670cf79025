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

export function quietBelowHalf({ from, to }: AmountChange): Pick<Figure, 'isQuiet'> {
  return from > 0 && to < 1.5 * from ? { isQuiet: true } : {};
}

export interface RiskFinding {
  code: WarningCode;
  text: Sentence;
  field?: string;
  /** `money` if the money at risk or the bid already shows the change. */
  figure?: Figure | 'money';
  /** The value to type for a danger. Defaults to the campaign's id. */
  typed?: string;
}

export type RiskRule = (update: Update, formats: Formats) => RiskFinding[];

export interface AmountChange {
  from: number;
  to: number;
}

/** Null unless both values are finite numbers and differ. */
export function changedAmount({ before, after }: Update, field: string): AmountChange | null {
  const from = own(before, field);
  const to = own(after, field);
  if (typeof from !== 'number' || typeof to !== 'number' || from === to) return null;
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : null;
}

export function firstChangedField(
  { changes }: Pick<Update, 'changes'>,
  fields: readonly string[],
): { field?: string } {
  const field = fields.find((name) => changes.some((change) => change.field === name));
  return field === undefined ? {} : { field };
}

/** A current bid that is no number counts as 0. */
export function changedBid(update: Update): AmountChange | null {
  const [from, to] = [own(update.before, 'payout'), own(update.after, 'payout')];
  if (typeof from === 'number' || typeof to !== 'number') return changedAmount(update, 'payout');
  return Number.isFinite(to) ? { from: 0, to } : null;
}

/** An amount that is too long to type is omitted, so that the campaign's id is typed instead. */
export function typedAmount(amount: number, decimals: number): Pick<RiskFinding, 'typed'> {
  const typed = typedText(toMicros(amount), decimals);
  return typed.length <= maxTypedLength ? { typed } : {};
}

const maxTypedLength = 16;

/** `10`, not `×10`. */
export function timesText({ from, to }: AmountChange, formats: Formats): string {
  return (factorText(from, to, formats) ?? '').replace('×', '');
}
