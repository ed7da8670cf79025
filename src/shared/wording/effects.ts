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

/**
 * Certainty about the effect of a tool call. The commit of a prepared change states it, by the contract. It is assumed
 * if the arguments of a call look like a change; otherwise at most campaigns are named, and the effect on them is not
 * known.
 */
export const callEffects = ['stated', 'assumed', 'named', 'unknown'] as const;

export type CallEffect = (typeof callEffects)[number];

export interface CampaignEffect extends FieldEffect {
  cid: number;
}

/** Effects of a write, as data: rules and groups decide on them, and the words beside them are made from them. */
export interface Effects {
  /** Certainty of the effects. A rule never takes an unknown effect for harmless. */
  certainty: CallEffect;
  changes: readonly CampaignEffect[];
}

export const noFieldChanges: Effects = { certainty: 'stated', changes: [] };

/** One campaign that a write touches. The name is inert. */
export interface TargetView {
  cid: number;
  name: string;
  statusBefore: number;
  statusAfter: number;
  perDay: MoneyPair;
  untilEnd: MoneyPair;
}

/** A change in one line, for the largest place on the page: `Countries`, `1 entry`, `240 entries`, `+239`. */
export interface Headline {
  label: string;
  /** Absent for a figure that has no other side: the number of campaigns that a call names. */
  before?: string;
  after: string;
  delta?: string;
  /** Present where it is not worth the largest size: nothing to warn of, or an amount less than half as high again. */
  isQuiet?: true;
}

export interface MoneyAtRisk {
  perDay: MoneyPair;
  untilEnd: MoneyPair;
  /** Over how many campaigns the figures are summed; absent for one. */
  campaignCount?: number;
  /** Number of campaigns without a limit before and after, counted apart from the sums. Absent for none. */
  alwaysUnlimited?: { perDay: number; untilEnd: number };
}

export interface TypedValue {
  label: string;
  value: string;
}

/** Everything that a person reads of a write. */
export interface WriteWords {
  title: Sentence;
  targets: TargetView[];
  risk: MoneyAtRisk & { headline?: Headline; bidFactor: string | null; notes: Sentence[] };
  warnings: Warning[];
  typeToConfirm: TypedValue | null;
  changes: ChangeView[];
  unchanged: { field: string; label: string; value: string }[];
  effects: Effects;
  /** Of the campaigns that were read in whole when it was proposed, in the order of the targets. */
  facts: readonly FactsOfCampaign[];
}

/** One campaign of a change of status as it was read; those that have the status already are listed and not sent. */
export interface StatusTarget {
  cid: number;
  name: string;
  row: Pick<CampaignRow, 'status' | 'd_revenue' | 't_revenue'>;
  exposure: { before: Exposure; after: Exposure };
  facts?: CampaignFacts;
}

/** Selects all listed campaigns, or those of them that run just before sending. */
export type MeantCampaigns = 'all' | 'running';

/** A change of status, also of several proposals that are decided as one. */
export interface StatusChange {
  targets: readonly StatusTarget[];
  payload: { status: StatusCode };
  meant: MeantCampaigns;
  /** Source of the money at risk: complete campaigns, or list rows only. */
  countedFrom: 'campaigns' | 'list';
  stoppedAs: readonly StatusGroup[];
  zone: string;
  isOwn: boolean;
}

/** The scheduled task that a call of the app's own is about. Names are foreign text. */
export interface TaskOfCall {
  id: string;
  /** A new task, the end of one, or the change of one whose time has come. */
  act: 'create' | 'cancel' | 'due';
  /** When a new task is due first, as the service said: ISO 8601. */
  dueTimes: string[];
  /** The task as the service listed it when this was proposed; null for a new one. */
  listed: {
    name: string | null;
    kind: string;
    schedule: JsonValue;
    parameters: JsonValue;
    nextDueAt: string | null;
  } | null;
}

/** One operation on one field, the same in several changes. */
export type FieldOperand =
  | { by: 'ratio'; field: string; unit: 'money' | 'count'; over: string; under: string }
  /** `text` is the new value in words; `value` is absent where the key is gone. */
  | { by: 'set'; field: string; value?: JsonValue; text: string }
  | { by: 'add'; field: string; unit: 'money' | 'count'; micros: string }
  /** Adds so many tenths of a percent and rounds half up to so many decimals. */
  | { by: 'percent'; field: string; unit: 'money' | 'count'; tenths: number; decimals: number }
  | { by: 'host'; field: string; before: string; after: string };

/** A call of one of the service's tools, as far as it is known. Names and paths are foreign text. */
export interface CallEffects {
  name: string;
  argCount: number;
  effect: CallEffect;
  /** The change in its arguments; `campaign` where one campaign is named, `arguments` where nothing is known. */
  subject: 'update' | 'status' | 'campaign' | 'arguments';
  /** Campaigns that its arguments name, at any depth. */
  named: ReadonlySet<number>;
  /** Campaigns that stand beside the payload of a commit and are not those of its change. */
  others: readonly number[];
  /** The payload of a commit that has nothing else to say; null for any other call. */
  commit: JsonObject | null;
  /** Countersign did not see it being prepared: another agent did it, or it was before this app ran. */
  isUnseen: boolean;
  /** Labels of the fields that the service set to another value when it prepared the same call once more. */
  preparedDifferently: readonly string[];
  /** Arguments that the tool's pinned definition does not name. */
  undeclared: readonly string[];
  /** Fields that move by themselves: the read before sending does not compare them. */
  notCompared: readonly string[];
  /** When the service's approval of what it prepared ends; null where nothing was prepared. */
  approvalEndsAtMs: number | null;
  /** The task that made it due; null for any other call. */
  due: TaskOfCall | null;
}
