import type { MissionId } from '../../mission.ts';
import { type Chain, goodChains, type Making, plantedChains } from '../draft.ts';
import { goodVariations } from '../variations/good.ts';
import { plantedMoney } from '../variations/planted-money.ts';
import { plantedTraffic } from '../variations/planted-traffic.ts';

/** A mission of single changes: the names of the cases that it takes from the corpus, and how many of them. */
interface Theme {
  planted: readonly string[];
  good: readonly string[];
  plantedCount: readonly [number, number];
  goodCount: readonly [number, number];
}

const usual = { plantedCount: [2, 3], goodCount: [4, 7] } as const;

/** The missions of single changes. */
export const themes = {
  bids: {
    ...usual,
    planted: ['slipped decimal point', 'a hundred times the bid', 'bid control times a thousand'],
    good: ['a bid 10% higher', 'a lower bid', 'a bid 10% higher', 'a lower daily budget', 'a pause'],
  },
  limits: {
    ...usual,
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
    ...usual,
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
    ...usual,
    planted: ['worldwide among four fields', 'one country lost', 'frequency cap off'],
    good: ['a country more', 'a country fewer', 'a device more', 'other words', 'a new name'],
  },
  hours: {
    ...usual,
    planted: ['hours wiped', '167 of 168 hours'],
    good: ['a few hours more', 'a few hours fewer', 'a few hours more', 'a lower bid', 'a pause'],
  },
  destinations: {
    ...usual,
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
    ...usual,
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
    ...usual,
    planted: ['block list halved', 'block list emptied'],
    good: ['more blocked addresses', 'more blocked addresses', 'a country fewer', 'a lower bid', 'a pause'],
  },
  'hidden-arguments': {
    ...usual,
    planted: ['padded call', 'bulk behind one cid'],
    good: ['a new name', 'other words', 'a lower bid', 'a few hours fewer', 'a country more'],
  },
  'rush-hour': {
    planted: [...Object.keys(plantedMoney), ...Object.keys(plantedTraffic)],
    // Its briefing agrees to small changes.
    good: Object.keys(goodVariations).filter((name) => name !== 'a daily budget $1,200 higher'),
    plantedCount: [4, 5],
    goodCount: [7, 7],
  },
} as const satisfies Partial<Record<MissionId, Theme>>;

/** The steps of a mission of single changes: some of its faults among its good changes. */
export function themedChains({ planted, good, plantedCount, goodCount }: Theme, making: Making): Chain[] {
  const { random } = making;
  return [
    ...plantedChains(planted, random.integer(...plantedCount), making),
    ...goodChains(good, random.integer(...goodCount), making),
  ];
}
