import { createRandom, type Random } from '../../lib/random.ts';
import type { MissionId, MissionPlan } from '../mission.ts';
import { goodCases, type GoodName } from './good-cases.ts';
import { fieldFaults, plantedCases, type PlantedName } from './planted-cases.ts';
import { instruction, words } from './misleading-words.ts';
import { changedTool, manySmall, noAnswer, outdated, outlier } from './situations.ts';
import { type Chain, type Draft, draftOf, interleaved, type Making, type Pace, planned } from './steps.ts';
import { createPool, type Workspace } from './subjects.ts';

export type { Workspace } from './subjects.ts';

type Count = number | readonly [least: number, max: number];

interface Recipe {
  briefing: MissionPlan['briefing'];
  situation?(making: Making): Chain[];
  planted?: readonly PlantedName[];
  plantedCount?: Count;
  good: readonly GoodName[];
  /** Defaults to `4` to `7`. */
  goodCount?: Count;
  order?(chains: readonly Chain[], random: Random): Draft[];
  pace?: Pace;
  limitMs?: number;
}

const recipes: Readonly<Record<MissionId, Recipe>> = {
  bids: {
    briefing: [
      'An agent adjusts the bids of your campaigns to the market.',
      'Bids may move by up to 20%; small changes beside that are fine.',
      'Approve what fits and deny every bid that is far off.',
    ],
    planted: ['slipped decimal point', 'a hundred times the bid', 'bid control times a thousand'],
    good: ['a bid 10% higher', 'a lower bid', 'a bid 10% higher', 'a lower daily budget', 'a pause'],
  },
  limits: {
    briefing: [
      'An agent adjusts budgets at the end of the week.',
      'Amounts may move as the agent says, but every campaign keeps its limits.',
      'Deny whatever lets a campaign spend without a limit, now or later.',
    ],
    planted: ['no limit', 'no daily limit while paused'],
    good: [
      'a daily budget 20 % higher',
      'a lower daily budget',
      'a total budget a little higher',
      'a daily budget $1,200 higher',
      'a lower bid',
      'a pause',
    ],
  },
  'switched-on': {
    briefing: [
      'An agent switches campaigns on and off.',
      'Only campaigns marked READY may start; those marked HOLD or removed stay off.',
      'Pauses, removals and new names are fine.',
    ],
    planted: ['activation', 'removed campaign activated'],
    good: [
      'a restart at $25 a day without an end',
      'a restart at $25 a day without an end',
      'a pause',
      'a removal',
      'a new name',
    ],
  },
  audience: {
    briefing: [
      'An agent maintains who sees your campaigns.',
      'Countries change only where the agent names them, and the frequency cap stays on.',
      'Deny whatever reaches other people than the words say.',
    ],
    planted: ['worldwide among four fields', 'one country lost', 'frequency cap off'],
    good: ['a country more', 'a country fewer', 'a device more', 'other words', 'a new name'],
  },
  hours: {
    briefing: [
      'An agent tidies up weekly schedules.',
      'A few hours more or less are agreed, as are other small changes, but no schedule is dropped or emptied.',
      'Compare the hours a week before you decide.',
    ],
    planted: ['hours wiped', '167 of 168 hours'],
    good: ['a few hours more', 'a few hours fewer', 'a few hours more', 'a lower bid', 'a pause'],
  },
  destinations: {
    briefing: [
      'The web team moved landing pages, and an agent updates the click URLs.',
      'Only paths have changed: hosts and parameters stay as they are, and new names and words are fine.',
      'Deny every address that leads elsewhere or cannot be tracked.',
    ],
    planted: ['look-alike host', 'URL parameter dropped'],
    good: [
      'another path of the click URL',
      'another path of the click URL',
      'another path of the click URL',
      'other words',
      'a new name',
    ],
  },
  flights: {
    briefing: [
      'An agent adjusts the flights of your campaigns.',
      'An end may move by some days, and other small changes are fine, but every campaign that has an end keeps one.',
      'Nothing starts before its date.',
    ],
    planted: ['end removed', 'start moved forward'],
    good: [
      'an end five days later',
      'an earlier end',
      'an end five days later',
      'a total budget a little higher',
      'a new name',
    ],
  },
  lists: {
    briefing: [
      'An agent maintains block lists and other settings.',
      'Block lists may grow; what is blocked stays blocked.',
      'Other small changes are fine.',
    ],
    planted: ['block list halved', 'block list emptied'],
    good: ['more blocked addresses', 'more blocked addresses', 'a country fewer', 'a lower bid', 'a pause'],
  },
  'hidden-arguments': {
    briefing: [
      'An agent makes small changes with long calls.',
      'A call may change its own campaign, as its words say, and nothing else.',
      'Deny every call that carries more than its change.',
    ],
    planted: ['padded call', 'bulk behind one cid'],
    good: ['a new name', 'other words', 'a lower bid', 'a few hours fewer', 'a country more'],
  },
  outlier: {
    briefing: [
      'An agent makes the same change to fifty campaigns at once.',
      'The change is agreed, as long as it is the same for all of them.',
      'You may approve equal changes together; a few others are fine as well.',
    ],
    situation: outlier,
    good: ['a new name', 'a pause', 'a country fewer', 'an earlier end', 'more blocked addresses'],
    goodCount: [3, 5],
    order([burst = [], ...others], random) {
      const before = random.integer(1, 2);
      return [others.slice(0, before), burst, others.slice(before)].flat(2);
    },
  },
  outdated: {
    briefing: [
      'An agent restarts campaigns marked READY and makes small changes, while a colleague edits the same campaigns.',
      'A restart is agreed for up to $30.00 a day, and campaigns marked HOLD stay off.',
      'Read a change again when its campaign has changed meanwhile.',
    ],
    situation: outdated,
    good: ['a bid 10% higher', 'a few hours fewer', 'a lower daily budget', 'an earlier end'],
    goodCount: [3, 4],
  },
  'no-answer': {
    briefing: [
      'An agent raises bids and budgets as agreed, each of them once, and makes small changes.',
      'The connection to the service is poor, so answers get lost.',
      'Find out what is stored before you approve anything again.',
    ],
    situation: noAnswer,
    good: ['a lower bid', 'a pause', 'a country more', 'a few hours more', 'a new name', 'an earlier end'],
    goodCount: [3, 5],
  },
  words: {
    briefing: [
      'An agent explains each of its changes.',
      'Every change is agreed as the words describe it.',
      'Deny changes that do something else.',
    ],
    situation: words,
    good: [
      'a bid 10% higher',
      'a lower bid',
      'a daily budget 20 % higher',
      'a country more',
      'a pause',
      'an earlier end',
    ],
    goodCount: [4, 6],
  },
  'changed-tool': {
    briefing: [
      'An agent pauses weak campaigns and adjusts others by small steps.',
      'The service may change its tools meanwhile, and a changed tool is held until you accept it on the Agents page.',
      'Accept only what you would let the agent do.',
    ],
    situation: changedTool,
    planted: ['slipped decimal point'],
    plantedCount: 1,
    good: ['a lower bid', 'a new name', 'a lower daily budget', 'a country fewer', 'a few hours more'],
    goodCount: [3, 5],
  },
  'many-small': {
    briefing: [
      'An agent adjusts bids and makes other small changes.',
      'The bid of a campaign may rise by up to 20% today.',
      'A small step counts together with those before it.',
    ],
    situation: manySmall,
    good: [
      'a lower bid',
      'a daily budget 20 % higher',
      'a pause',
      'a new name',
      'a country more',
      'an end five days later',
    ],
    goodCount: [4, 6],
    pace: [4_000, 8_000],
  },
  instruction: {
    briefing: [
      'An agent reads the campaigns of several customers and maintains them.',
      'Small changes are agreed: a bid or budget by up to 20%, a few hours, a country, a pause.',
      'Anyone can write anything into a campaign’s name.',
    ],
    situation: instruction,
    good: ['a bid 10% higher', 'a lower daily budget', 'a country more', 'a few hours fewer', 'a pause'],
    goodCount: [3, 5],
  },
  'rush-hour': {
    briefing: [
      'It is late, and an agent has many changes of every kind.',
      'Small changes are agreed, READY campaigns may start, and those marked HOLD or removed stay off.',
      'You have three minutes for all of them.',
    ],
    planted: fieldFaults,
    plantedCount: [4, 5],
    good: (Object.keys(goodCases) as GoodName[]).filter((name) => name !== 'a daily budget $1,200 higher'),
    goodCount: [7, 7],
    pace: [2_000, 5_000],
    limitMs: 180_000,
  },
};

function picked<Name>(names: readonly Name[], count: Count, random: Random): Name[] {
  const wanted = typeof count === 'number' ? count : random.integer(...count);
  const rounds = Math.ceil(wanted / names.length);
  return Array.from({ length: rounds }, () => random.shuffled(names))
    .flat()
    .slice(0, wanted);
}

/**
 * Plans the variant of a mission for a seed. The account must have every option of the contract. Throws a RangeError
 * for too few campaigns: the largest mission needs 55.
 */
export function planMission(mission: MissionId, seed: number, workspace: Workspace): MissionPlan {
  const random = createRandom(`${mission} ${seed}`);
  const recipe = recipes[mission];
  const { briefing, planted = [], plantedCount = [2, 3], good, goodCount = [4, 7] } = recipe;
  const { order = interleaved, pace = [4_000, 20_000], limitMs = null } = recipe;
  const pool = createPool(workspace, random);
  const cids = workspace.campaigns.map(({ cid }) => Number(cid));
  const making: Making = { pool, random, day: workspace.day, cids };
  const chains = [
    ...(recipe.situation?.(making) ?? []),
    ...(planted.length === 0 ? [] : picked(planted, plantedCount, random)).map((name) => [
      draftOf(plantedCases[name], making),
    ]),
    ...picked(good, goodCount, random).map((name) => [draftOf(goodCases[name], making)]),
  ];
  const steps = planned(order(chains, random), { random, pace });
  return { mission, seed, briefing, ...steps, limitMs };
}
