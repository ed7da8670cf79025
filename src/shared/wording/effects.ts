import type {
  CampaignFacts,
  ChangeView,
  CampaignFactsChange,
  Exposure,
  FieldEffect,
  MoneyPair,
  StatusGroup,
} from '../campaign/index.ts';
import type { CampaignRow, StatusCode } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../lib/json/json-value.ts';
import type { Sentence } from '../lib/sentence.ts';
import type { Warning } from './severities.ts';

/**
 * `stated`: defined by a commit's contract. `assumed`: inferred from the arguments. `named`: only campaigns are known.
 * `unknown`: nothing is known.
 */
export const effectCertainties = ['stated', 'assumed', 'named', 'unknown'] as const;

export type EffectCertainty = (typeof effectCertainties)[number];

export interface CampaignEffect extends FieldEffect {
  cid: number;
}

interface Effects {
  /** Rules must not treat an unknown effect as harmless. */
  certainty: EffectCertainty;
  changes: readonly CampaignEffect[];
}

const noFieldChanges: Effects = { certainty: 'stated', changes: [] };

export interface TargetView {
  cid: number;
  name: string;
  statusBefore: number;
  statusAfter: number;
  perDay: MoneyPair;
  untilEnd: MoneyPair;
}

/** A change in one line: label, before, after and difference, for example `Countries`, `1 entry`, `240 entries`, `+239`. */
export interface Headline {
  label: string;
  before?: string;
  after: string;
  delta?: string;
  /** Set if the headline does not need the largest size: nothing to warn of, or a small raise. */
  isQuiet?: true;
}

export interface MoneyAtRisk {
  perDay: MoneyPair;
  untilEnd: MoneyPair;
  campaignCount?: number;
  /** Numbers of campaigns that are unlimited before and after. The sums exclude them. */
  alwaysUnlimited?: { perDay: number; untilEnd: number };
}

export interface TypedValue {
  label: string;
  value: string;
}

export interface WriteWords {
  title: Sentence;
  targets: TargetView[];
  risk: MoneyAtRisk & { headline?: Headline; bidFactor: string | null; notes: Sentence[] };
  warnings: Warning[];
  typeToConfirm: TypedValue | null;
  changes: ChangeView[];
  unchanged: { field: string; label: string; value: string }[];
  effects: Effects;
  facts: readonly CampaignFactsChange[];
}

/** Texts of a write without a known change. `money` is used both per day and until the end. */
export function wordsWithoutChange(title: Sentence, money: MoneyPair): WriteWords {
  return {
    title,
    targets: [],
    risk: { perDay: money, untilEnd: money, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    effects: noFieldChanges,
    facts: [],
  };
}

export interface StatusTarget {
  cid: number;
  name: string;
  row: Pick<CampaignRow, 'status' | 'd_revenue' | 't_revenue'>;
  exposure: { before: Exposure; after: Exposure };
  facts?: CampaignFacts;
}

/** `running`: only campaigns that run just before sending. */
export type TargetedCampaigns = 'all' | 'running';

export interface StatusChange {
  targets: readonly StatusTarget[];
  payload: { status: StatusCode };
  targeted: TargetedCampaigns;
  /** `list`: figures from list rows, which lack flight and hours. */
  countedFrom: 'campaigns' | 'list';
  stoppedAs: readonly StatusGroup[];
  zone: string;
  /** Return time of paused campaigns; null for no return. */
  returnAtMs: number | null;
  isOwn: boolean;
}

/** Names are untrusted text. */
export interface TaskOfCall {
  id: string;
  act: 'create' | 'cancel' | 'due';
  /** The first run times of a new task, ISO 8601. */
  dueTimes: string[];
  /** The task as listed when it was proposed. Null for a new task. */
  listed: {
    name: string | null;
    kind: string;
    schedule: JsonValue;
    parameters: JsonValue;
    nextDueAt: string | null;
  } | null;
}

export type FieldOperand =
  | { by: 'ratio'; field: string; unit: 'money' | 'count'; over: string; under: string }
  /** `text` describes the new value. Without `value` the key is removed. */
  | { by: 'set'; field: string; value?: JsonValue; text: string }
  | { by: 'add'; field: string; unit: 'money' | 'count'; micros: string }
  | { by: 'percent'; field: string; unit: 'money' | 'count'; tenths: number; decimals: number }
  | { by: 'host'; field: string; before: string; after: string };

export interface CallEffects {
  name: string;
  argCount: number;
  effect: EffectCertainty;
  subject: 'update' | 'status' | 'campaign' | 'arguments';
  named: ReadonlySet<number>;
  /** Campaigns named outside the payload of a commit, which its change does not contain. */
  others: readonly number[];
  /** The payload of a commit without undocumented members. Null for any other call. */
  commit: JsonObject | null;
  /** True if Countersign did not see the preparation: another agent made it, or it was made before this app ran. */
  isUnseen: boolean;
  preparedDifferently: readonly string[];
  undeclared: readonly string[];
  /** Volatile fields, which are not compared before sending. */
  notCompared: readonly string[];
  /** End of the service's approval; null if nothing was prepared. */
  approvalEndsAtMs: number | null;
  due: TaskOfCall | null;
}
