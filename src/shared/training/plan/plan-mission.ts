import { createRandom } from '../../lib/random.ts';
import type { MissionId, MissionPlan } from '../mission.ts';
import { briefings } from './briefings.ts';
import { type Draft, interleaved, type Making, type Pace, planned } from './draft.ts';
import { changedToolChains } from './missions/changed-tool.ts';
import { instructionChains } from './missions/instruction.ts';
import { manySmallChains } from './missions/many-small.ts';
import { noAnswerChains } from './missions/no-answer.ts';
import { outdatedChains } from './missions/outdated.ts';
import { outlierChain } from './missions/outlier.ts';
import { themedChains, themes } from './missions/themed.ts';
import { wordsChains } from './missions/words.ts';
import { createPool, type Workspace } from './subject.ts';

/** How an agent at work proposes, and one that hurries. */
const usualPace: Pace = [4_000, 20_000];
const busyPace: Pace = [4_000, 8_000];
const hurriedPace: Pace = [2_000, 5_000];

/** Time for all of rush hour. */
const rushHourMs = 180_000;

/** How a mission's steps are made, in their order, and how fast the agent proposes them. */
interface Recipe {
  drafts(making: Making): Draft[];
  pace?: Pace;
  limitMs?: number;
}

function themed(mission: keyof typeof themes): Recipe {
  return { drafts: (making) => interleaved(themedChains(themes[mission], making), making.random) };
}

function situation(chains: (making: Making) => readonly (readonly Draft[])[]): Recipe {
  return { drafts: (making) => interleaved(chains(making), making.random) };
}

const recipes: Readonly<Record<MissionId, Recipe>> = {
  bids: themed('bids'),
  limits: themed('limits'),
  'switched-on': themed('switched-on'),
  audience: themed('audience'),
  hours: themed('hours'),
  destinations: themed('destinations'),
  flights: themed('flights'),
  lists: themed('lists'),
  'hidden-arguments': themed('hidden-arguments'),
  outlier: { drafts: outlierChain },
  outdated: situation(outdatedChains),
  'no-answer': situation(noAnswerChains),
  words: situation(wordsChains),
  'changed-tool': situation(changedToolChains),
  'many-small': { ...situation(manySmallChains), pace: busyPace },
  instruction: situation(instructionChains),
  'rush-hour': { ...themed('rush-hour'), pace: hurriedPace, limitMs: rushHourMs },
};

/**
 * The variant of a mission that a seed decides: the same for the same workspace, another one for another seed. The workspace's account
 * has every option of the contract on. Throws a RangeError where it has too few campaigns: the largest mission needs 55.
 */
export function planMission(mission: MissionId, seed: number, workspace: Workspace): MissionPlan {
  const random = createRandom(`${mission} ${seed}`);
  const { drafts, pace = usualPace, limitMs = null } = recipes[mission];
  const pool = createPool(workspace, random);
  const cids = workspace.campaigns.map(({ cid }) => Number(cid));
  // Its agents write as they do, and what they write is compared.
  const steps = drafts({ pool, random, day: workspace.day, cids });
  return { mission, seed, briefing: briefings[mission], ...planned(steps, { random, pace }), limitMs };
}
