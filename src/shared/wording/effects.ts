import type {
  CampaignFacts,
  ChangeView,
  FactsOfCampaign,
  Exposure,
  FieldEffect,
  MoneyPair,
  StatusGroup,
} from '../campaign/index.ts';
import type { CampaignRow, StatusCode } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../lib/json/json-value.ts';
import type { Sentence } from '../lib/sentence.ts';
import type { Warning } from './severities.ts';

/** `stated` by the contract of a commit; `assumed` if the arguments look like a change; else campaigns are at most `named`. */
export const callEffects = ['stated', 'assumed', 'named', 'unknown'] as const;

export type CallEffect = (typeof callEffects)[number];

export interface CampaignEffect extends FieldEffect {
  cid: number;
}

interface Effects {
  /** A rule never takes an unknown effect for harmless. */
  certainty: CallEffect;
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

/** A change in one line: `Countries`, `1 entry`, `240 entries`, `+239`. */
export interface Headline {
  label: string;
  before?: string;
  after: string;
  delta?: string;
  /** Set if it is not worth the largest size: nothing to warn of, or a small raise. */
  isQuiet?: true;
}

export interface MoneyAtRisk {
  perDay: MoneyPair;
  untilEnd: MoneyPair;
  campaignCount?: number;
  /** Campaigns without a limit before and after, which the sums exclude. */
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
  facts: readonly FactsOfCampaign[];
}

/** The words of a write without a known change, with the same money per day and until the end. */
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

/** `running`: only those that run just before sending. */
export type MeantCampaigns = 'all' | 'running';

export interface StatusChange {
  targets: readonly StatusTarget[];
  payload: { status: StatusCode };
  meant: MeantCampaigns;
  /** `list`: from list rows, which lack flight and hours. */
  countedFrom: 'campaigns' | 'list';
  stoppedAs: readonly StatusGroup[];
  zone: string;
  isOwn: boolean;
}

/** Names are foreign text. */
export interface TaskOfCall {
  id: string;
  act: 'create' | 'cancel' | 'due';
  /** First times of a new task, ISO 8601. */
  dueTimes: string[];
  /** As listed when it was proposed; null for a new task. */
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
  /** `text` is the new value in words; without `value` the key is gone. */
  | { by: 'set'; field: string; value?: JsonValue; text: string }
  | { by: 'add'; field: string; unit: 'money' | 'count'; micros: string }
  | { by: 'percent'; field: string; unit: 'money' | 'count'; tenths: number; decimals: number }
  | { by: 'host'; field: string; before: string; after: string };

export interface CallEffects {
  name: string;
  argCount: number;
  effect: CallEffect;
  subject: 'update' | 'status' | 'campaign' | 'arguments';
  named: ReadonlySet<number>;
  /** Named outside the payload of a commit, and not in its change. */
  others: readonly number[];
  /** The payload of a commit without undocumented members; null for any other call. */
  commit: JsonObject | null;
  /** Countersign did not see the preparation: another agent's, or before this app ran. */
  isUnseen: boolean;
  preparedDifferently: readonly string[];
  undeclared: readonly string[];
  /** Volatile fields, which are not compared before sending. */
  notCompared: readonly string[];
  /** End of the service's approval; null if nothing was prepared. */
  approvalEndsAtMs: number | null;
  due: TaskOfCall | null;
}
