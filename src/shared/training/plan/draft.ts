import type { Random } from '../../lib/random.ts';
import type { AgentWrite, Fault, MissionPlan, MissionStep } from '../mission.ts';
import type { Pool, Subject } from './subject.ts';
import { goodVariations } from './variations/good.ts';
import { plantedVariations } from './variations/planted.ts';
import type { Change, Scene, Varied } from './variations/variation.ts';

/** Inputs for making the steps of a mission. */
export interface Making {
  pool: Pool;
  random: Random;
  day: Scene['day'];
  cids: readonly number[];
}

/** A step before it has its place in the plan, with the campaigns as they stand before it. */
export interface Draft extends Omit<MissionStep, 'id' | 'afterMs'> {
  subjects: readonly Subject[];
  /** An agent in a loop: proposed at once after the step before it. */
  isQuick?: true;
}

/** Steps that keep their order among each other. */
export type Chain = readonly Draft[];

/** A good change of the corpus, varied. */
export function goodDraft(name: string, making: Making): Draft {
  const variation = goodVariations[name];
  if (variation === undefined) throw new Error(`No good change is called ${name}`);
  const subject = making.pool.take(variation.fits);
  return draftOf(variation.vary({ ...making, subject }), { subject, making, fault: null });
}

/** A planted fault of the corpus, varied. */
function plantedDraft(name: string, making: Making): Draft {
  const variation = plantedVariations[name];
  if (variation === undefined) throw new Error(`No planted fault is called ${name}`);
  const subject = making.pool.take(variation.fits);
  const varied = variation.vary({ ...making, subject });
  return draftOf(varied, { subject, making, fault: { kind: variation.kind, ...varied.wrong } });
}

/** So many of these good changes, none twice before all were taken. */
export function goodChains(names: readonly string[], count: number, making: Making): Chain[] {
  return pickedNames(names, count, making).map((name) => [goodDraft(name, making)]);
}

/** The same of planted faults. */
export function plantedChains(names: readonly string[], count: number, making: Making): Chain[] {
  return pickedNames(names, count, making).map((name) => [plantedDraft(name, making)]);
}

function pickedNames(names: readonly string[], count: number, { random }: Making): string[] {
  const rounds = Math.ceil(count / names.length);
  return Array.from({ length: rounds }, () => random.shuffled(names))
    .flat()
    .slice(0, count);
}

function draftOf(
  { before = {}, change, says }: Varied,
  { subject, making, fault }: { subject: Subject; making: Making; fault: Fault | null },
): Draft {
  return { subjects: [making.pool.with(subject, before)], write: writeOf(subject.cid, change), says, fault };
}

function writeOf(cid: number, change: Change): AgentWrite {
  return 'status' in change
    ? { kind: 'status', cids: [cid], status: change.status }
    : { kind: 'update', cid, ...change };
}

/** Puts the chains into one order of the seed's, in which each keeps its own. */
export function interleaved(chains: readonly Chain[], random: Random): Draft[] {
  const left = chains.map((chain) => chain.values());
  const turns = random.shuffled(chains.flatMap((chain, at) => chain.map(() => at)));
  return turns.flatMap((at) => left[at]?.next().value ?? []);
}

/** Milliseconds from one step to the next, both included. */
export type Pace = readonly [least: number, max: number];

const quick: Pace = [250, 700];

/** The steps in their order, with names and times, and the fields of the campaigns before the first of them. */
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
