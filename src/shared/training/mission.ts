import type { JsonObject } from '../lib/json/json-value.ts';

const singleKinds = [
  'bid',
  'limits',
  'activation',
  'audience',
  'hours',
  'destination',
  'flight',
  'lists',
] as const;

/** In the order in which progress lists them. */
export const faultKinds = [
  ...singleKinds,
  'hiddenArguments',
  'outlier',
  'outdated',
  'noAnswer',
  'words',
  'tool',
  'manySmall',
  'instruction',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export const singleChangeMissions = [
  'bids',
  'limits',
  'switched-on',
  'audience',
  'hours',
  'destinations',
  'flights',
  'lists',
  'hidden-arguments',
] as const;

export const missionIds = [
  ...singleChangeMissions,
  'outlier',
  'outdated',
  'no-answer',
  'words',
  'changed-tool',
  'many-small',
  'instruction',
  'rush-hour',
] as const;

export type MissionId = (typeof missionIds)[number];

/** A variant need not contain every kind of its mission. */
export const missionKinds: Readonly<Record<MissionId, readonly [FaultKind, ...FaultKind[]]>> = {
  bids: ['bid'],
  limits: ['limits'],
  'switched-on': ['activation'],
  audience: ['audience'],
  hours: ['hours'],
  destinations: ['destination'],
  flights: ['flight'],
  lists: ['lists'],
  'hidden-arguments': ['hiddenArguments'],
  outlier: ['outlier'],
  outdated: ['outdated'],
  'no-answer': ['noAnswer'],
  words: ['words'],
  'changed-tool': ['tool', 'bid'],
  'many-small': ['manySmall'],
  instruction: ['instruction'],
  'rush-hour': singleKinds,
};

export const lessonIds = [
  'money-at-risk',
  'groups-and-outliers',
  'unknown',
  'emergency-stop',
  'guardrails',
  'taking-back',
] as const;

export type LessonId = (typeof lessonIds)[number];

export interface Fault {
  kind: FaultKind;
  /** For example `The bid is ten times what it was.` */
  what: string;
  /** For example `The headline said $0.045 → $0.45.` */
  where: string;
  /** Integer micros at the campaign's traffic; null if the loss is not money. */
  costPerDayMicros: number | null;
  /** The texts of the fault if the earlier step on which it builds was not stored. */
  alone?: Pick<Fault, 'what' | 'where'>;
}

export type AgentWrite =
  /**
   * `beside` contains arguments of the commit that the tool's definition does not declare. The workspace's service
   * accepts them, so that a person gets to see them.
   */
  | { kind: 'update'; cid: number; fields: JsonObject; beside?: JsonObject }
  | { kind: 'status'; cids: readonly number[]; status: 'active' | 'paused' };

export type Incident =
  | { kind: 'edit'; cid: number; fields: JsonObject }
  | { kind: 'lost-answer' }
  /** The gateway refuses the changed tool until a person accepts it. The agent keeps trying until the mission ends. */
  | { kind: 'changed-tool'; tool: string; description: string; argument: string };

export type Moment = 'before' | 'waiting';

export interface MissionStep {
  id: string;
  /** Milliseconds after the previous step. */
  afterMs: number;
  /** Steps of a series are judged together: caught if the fault never reached the service. */
  series?: string;
  afterOthers?: true;
  write: AgentWrite;
  says: string | null;
  incident?: { at: Moment; incident: Incident };
  fault: Fault | null;
}

export interface MissionPlan {
  mission: MissionId;
  seed: number;
  /** One sentence each. */
  briefing: readonly [string, string, string];
  campaigns: readonly { cid: number; fields: JsonObject }[];
  steps: readonly MissionStep[];
  /** Milliseconds from the first proposal; null without a limit. */
  limitMs: number | null;
}

/** The change reached the service, a person stopped it, or neither happened. */
export type StepEnd = 'let-through' | 'stopped' | 'undecided';

export interface StepRecord {
  stepId: string;
  end: StepEnd;
  /** Milliseconds from the first display to the decision. Null if undecided. */
  decidedInMs: number | null;
  reason: string | null;
  isProposed: boolean;
  /** True if the step's tool changed, is held and was never accepted, so that the step was not proposed. */
  isHeldBack: boolean;
}

export type Verdict = 'caught' | 'missed' | 'false-alarm' | 'fine' | 'undecided';
