import { toMicros } from '../../lib/decimal.ts';
import { defaultFormats } from '../../lib/formats.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import type { Random } from '../../lib/random.ts';
import type { AgentWrite, Fault, FaultKind, MissionPlan, MissionStep } from '../mission.ts';
import type { Candidate, Pool, Subject, Workspace } from './subjects.ts';

export interface Making {
  pool: Pool;
  random: Random;
  day: Workspace['day'];
  cids: readonly number[];
}

export type Scene = Omit<Making, 'pool'> & { subject: Subject };

export type Variant = {
  before?: JsonObject;
  says: string | null | readonly (string | null)[];
  incident?: MissionStep['incident'];
} & ({ fields: JsonObject; beside?: JsonObject } | { status: 'active' | 'paused' });

/** `cost` is in micros, or computed from the campaign before and after the change. */
export type FaultyVariant = Variant &
  Pick<Fault, 'what' | 'where' | 'alone'> & {
    cost: number | null | ((before: JsonObject, after: JsonObject) => number);
  };

export interface GoodCase {
  fits?(candidate: Candidate): boolean;
  vary(scene: Scene): Variant;
}

export interface PlantedCase {
  kind: FaultKind;
  fits?(candidate: Candidate): boolean;
  vary(scene: Scene): FaultyVariant;
}

export interface Draft extends Omit<MissionStep, 'id' | 'afterMs'> {
  subjects: readonly Subject[];
  isQuick?: true;
}

export type Chain = readonly Draft[];

/** Takes a campaign of the pool unless one is given. */
export function draftOf(
  made: GoodCase | PlantedCase,
  making: Making,
  subject: Subject = making.pool.take(made.fits),
): Draft {
  const variant: Variant | FaultyVariant = made.vary({ ...making, subject });
  const { before = {}, says, incident } = variant;
  const varied = making.pool.with(subject, before);
  return {
    subjects: [varied],
    write: writeOf(subject.cid, variant),
    says: typeof says === 'string' || says === null ? says : making.random.pick(says),
    ...(incident && { incident }),
    fault: 'kind' in made && isFaulty(variant) ? faultOf(made.kind, variant, varied) : null,
  };
}

const isFaulty = (variant: Variant | FaultyVariant): variant is FaultyVariant => 'what' in variant;

function writeOf(cid: number, variant: Variant): AgentWrite {
  if ('status' in variant) return { kind: 'status', cids: [cid], status: variant.status };
  const { fields, beside } = variant;
  return { kind: 'update', cid, fields, ...(beside && { beside }) };
}

function faultOf(kind: FaultKind, variant: FaultyVariant, { campaign }: Subject): Fault {
  const { what, where, alone, cost } = variant;
  const after = { ...campaign, ...('fields' in variant && variant.fields) };
  const costPerDayMicros = typeof cost === 'function' ? cost(campaign, after) : cost;
  return { kind, what, where, costPerDayMicros, ...(alone && { alone }) };
}

export function interleaved(chains: readonly Chain[], random: Random): Draft[] {
  const left = chains.map((chain) => chain.values());
  const turns = random.shuffled(chains.flatMap((chain, at) => chain.map(() => at)));
  return turns.flatMap((at) => left[at]?.next().value ?? []);
}

/** Range of milliseconds between steps, both ends included. */
export type Pace = readonly [least: number, max: number];

const quick: Pace = [250, 700];

export function planned(
  drafts: readonly Draft[],
  { random, pace }: { random: Random; pace: Pace },
): Pick<MissionPlan, 'campaigns' | 'steps'> {
  const subjects = new Map(
    drafts.flatMap((draft) => draft.subjects.map((subject) => [subject.cid, subject])),
  );
  return {
    campaigns: [...subjects.values()].map(({ cid, fields }) => ({ cid, fields })),
    steps: drafts.map(({ subjects: _subjects, isQuick, ...step }, at) => ({
      id: `step-${at + 1}`,
      afterMs: random.integer(...(isQuick ? quick : pace)),
      ...step,
    })),
  };
}

export function numberOf({ campaign }: Subject, field: string): number {
  return Number(campaign[field]);
}

export function textOf({ campaign }: Subject, field: string): string {
  const text = campaign[field];
  return typeof text === 'string' ? text : '';
}

export function textsOf({ campaign }: Subject, field: string): string[] {
  const list = campaign[field];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}

export function onHost(subject: Subject, host: string): string {
  return textOf(subject, 'clickurl').replace(/^(https?:\/\/)[^/?#]+/, `$1${host}`);
}

export const bidText = (bid: number): string => defaultFormats.bid(toMicros(bid));

export const amountText = (amount: number): string => defaultFormats.money(toMicros(amount));

/** Rounds away the noise of binary fractions. */
export function times(amount: number, factor: number): number {
  return Math.round(amount * factor * 1e6) / 1e6;
}

export function hasClickUrl({ kind, campaign }: Candidate): boolean {
  return kind.pricing !== 'CPM' && typeof campaign['clickurl'] === 'string' && campaign['clickurl'] !== '';
}
