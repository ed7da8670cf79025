import type { JsonValue } from '../lib/json/json-value.ts';

/** Rules derived from the *name* and pricing of a type, never from its code (contract §2.4). */
export interface CampaignKind {
  /** From `pricing` in any case. `other` if the model is none of the three. */
  pricing: 'CPC' | 'CPV' | 'CPM' | 'other';
  contextual: boolean;
  push: boolean;
  popunder: boolean;
  /** False if no kind word and no known pricing was recognised. Then no kind rule is enforced, and the proposal says so. */
  recognised: boolean;
}

/** An amount in integer micros of the account's currency, computed from decimal text. */
export type Money = { kind: 'amount'; micros: bigint } | { kind: 'unlimited' };

/** The money that may be spent from now on (docs/write-path.md, "Money at risk"). The money already spent is unknown. */
export interface Exposure {
  /** The most that one remaining day may cost. 0 only if no hour remains in which the campaign can run. */
  perDay: Money;
  /** The first day on which the campaign can run, YYYY-MM-DD. Null for today, or if nothing can be spent. */
  startsOn: string | null;
  untilEnd: Money;
  endsOn: string | null;
}

/** The effect of a write on one field. All texts are derived from it. `undefined` means that the key is absent. */
export interface FieldEffect {
  field: string;
  /** False if neither the contract nor the field's name and content tell its kind. Such a field may decide anything. */
  isKnown: boolean;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
  /** For two lists, the added and the removed entries, compared as multisets. Null for other values. */
  members: { added: JsonValue[]; removed: JsonValue[] } | null;
  measure: Measure;
  selection?: { before: JsonValue | undefined; after: JsonValue | undefined };
}

export type Measure =
  /** A bid or budget that is a finite number on both sides. A budget of 0 is unlimited. */
  | { kind: 'money'; before: Money; after: Money; ratio: Ratio | null }
  | { kind: 'count'; before: number; after: number; ratio: Ratio | null }
  | { kind: 'hours'; before: number[]; after: number[]; added: number; removed: number }
  | { kind: 'entries'; added: number; removed: number }
  | { kind: 'none' };

export interface Ratio {
  /** The reduced fraction, `3/2` for ×1.5. Two ratios are equal exactly if their fractions are. */
  exact: string;
  isRaise: boolean;
}

export interface ChangeView {
  field: string;
  label: string;
  before: string;
  after: string;
  /** For example `+0.405` or `+12 h / −3 h`. Null if no difference makes sense. */
  delta: string | null;
  /** For example `×10`. Null if there is no factor or it is not finite. */
  factor: string | null;
  added: string[];
  removed: string[];
  /** Set for a list that keeps no entry, if `before` and `after` name every entry. */
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
