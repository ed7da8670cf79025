import type { JsonValue } from '../lib/json/json-value.ts';

/** Rules that follow from a type's returned *name* and pricing (contract §2.4; never the type code). */
export interface CampaignKind {
  /** From `pricing`, any case; `other` when the model is none of the three. */
  pricing: 'CPC' | 'CPV' | 'CPM' | 'other';
  contextual: boolean;
  push: boolean;
  popunder: boolean;
  /** False when no kind word and no known pricing was recognised: no kind rule is enforced and the proposal says so. */
  recognised: boolean;
}

/** Money in integer micros of the account's currency, worked out from the decimal text. */
export type Money = { kind: 'amount'; micros: bigint } | { kind: 'unlimited' };

/** The money that may be spent from now on (docs/write-path.md, "Money at risk"). What is already spent is unknown. */
export interface Exposure {
  /** The most that one remaining day may cost; 0 only when no hour remains in which the campaign can run. */
  perDay: Money;
  /** First day on which it can run, YYYY-MM-DD; null when that is today, or when nothing can be spent. */
  startsOn: string | null;
  untilEnd: Money;
  endsOn: string | null;
}

/** Effect of a write on one field, as data, from which every text is made. `undefined` stands for an absent key. */
export interface FieldEffect {
  field: string;
  /** False if neither the contract nor name and content say what kind of field it is: it may decide anything. */
  isKnown: boolean;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
  /** For two lists: what was added and removed, as a multiset. Null for anything else. */
  members: { added: JsonValue[]; removed: JsonValue[] } | null;
  measure: Measure;
  selection?: { before: JsonValue | undefined; after: JsonValue | undefined };
}

export type Measure =
  /** A bid or budget that is a finite number on both sides; a budget of 0 is unlimited. */
  | { kind: 'money'; before: Money; after: Money; ratio: Ratio | null }
  | { kind: 'count'; before: number; after: number; ratio: Ratio | null }
  | { kind: 'hours'; before: number[]; after: number[]; added: number; removed: number }
  | { kind: 'entries'; added: number; removed: number }
  | { kind: 'none' };

export interface Ratio {
  /** The reduced fraction, `3/2` for ×1.5: equal exactly when the ratios are. */
  exact: string;
  isRaise: boolean;
}

export interface ChangeView {
  field: string;
  label: string;
  before: string;
  after: string;
  /** For example `+0.405` or `+12 h / −3 h`; null when there is no sensible difference. */
  delta: string | null;
  /** For example `×10`; null when there is none or it is not finite. */
  factor: string | null;
  added: string[];
  removed: string[];
  /** Set for a list of which nothing stays, if `before` and `after` name every entry. */
  isNamedInFull?: true;
  schedule: { before: number[]; after: number[] } | null;
}

export interface FieldVerdict {
  field: string;
  label: string;
  verdict: 'stored' | 'normalised' | 'different' | 'unknown' | 'left';
  sent: string;
  found: string;
}
