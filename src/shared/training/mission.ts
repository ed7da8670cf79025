import type { JsonObject } from '../lib/json/json-value.ts';

/** Kinds of faults that lie in one change of a campaign. */
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

/** Kinds of faults that a person learns to catch, in the order in which progress lists them. */
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

/** Missions whose fault lies in one change. The others are situations. */
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

/** The kinds of faults that each mission has; a variant need not have all of them. */
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

/** Planted fault of a step, for the debriefing. */
export interface Fault {
  kind: FaultKind;
  /** The fault in one sentence, for example `The bid is ten times what it was.` */
  what: string;
  /** Where a person could see it, for example `The headline said $0.045 → $0.45.` */
  where: string;
  /** Money it would have cost a day at the campaign's traffic, in integer micros; null if the loss is not money. */
  costPerDayMicros: number | null;
  /** Other words where the step before it at its campaign, on which it builds, was not stored. */
  alone?: Pick<Fault, 'what' | 'where'>;
}

export type AgentWrite =
  /**
   * One campaign; `beside` are further arguments of the commit, which the tool's definition does not name. The workspace's service has
   * to take them: a definition that forbids other arguments would have them refused before a person sees them.
   */
  | { kind: 'update'; cid: number; fields: JsonObject; beside?: JsonObject }
  | { kind: 'status'; cids: readonly number[]; status: 'active' | 'paused' };

export type Incident =
  | { kind: 'edit'; cid: number; fields: JsonObject }
  /** The answer to the step's own write is lost after the service stored it. */
  | { kind: 'lost-answer' }
  /**
   * The service offers the tool with another definition: its description, and one more argument. The gateway refuses its calls until a
   * person accepts it; the agent calls again until then or until the mission ends, and its step stays undecided if nobody did.
   */
  | { kind: 'changed-tool'; tool: string; description: string; argument: string };

/** When an incident happens, relative to its step. */
export type Moment =
  | 'before'
  /** When the proposal waits for a decision: after it was prepared. */
  | 'waiting';

/** One step of the agent: a proposal, or several that belong together. */
export interface MissionStep {
  id: string;
  /** Time from the step before, in milliseconds; an agent does not wait for a person. */
  afterMs: number;
  /**
   * Steps with the same name are judged as one: a series is caught when its fault never reached the service. All of it is planted, each
   * step with the fault as it is once that step is stored, or all good.
   */
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
  /** Three sentences. */
  briefing: readonly [string, string, string];
  /** Fields that campaigns of the workspace get before the mission begins. */
  campaigns: readonly { cid: number; fields: JsonObject }[];
  steps: readonly MissionStep[];
  /** Time for the whole mission, from its first proposal, in milliseconds; null without pressure. */
  limitMs: number | null;
}

/** How a step ended: its change reached the service, a person kept it from that, or neither. */
export type StepEnd = 'let-through' | 'stopped' | 'undecided';

/** Outcome of a step, from the record of the workspace. */
export interface StepRecord {
  stepId: string;
  end: StepEnd;
  /** From the first showing to the decision, in milliseconds; null where it was not decided. */
  decidedInMs: number | null;
  reason: string | null;
  /** It was proposed at least once. */
  isProposed: boolean;
  /** Its incident has happened, and it was not proposed: a tool that changed is held, and nobody accepted it. */
  isHeldBack: boolean;
}

export type Verdict = 'caught' | 'missed' | 'false-alarm' | 'fine' | 'undecided';
