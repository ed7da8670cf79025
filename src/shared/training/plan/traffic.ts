import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { createRandom } from '../../lib/random.ts';

/**
 * The traffic of one campaign, by which a fault has its price; anyone can check it by hand (docs/training.md). A campaign buys the clicks
 * that its daily budget pays at its bid, and no others: limits cap what is spent. Clicks of CPM campaigns are thousands of impressions.
 */
export interface Traffic {
  /** How many times as many clicks are on offer at the same bid. */
  onOffer: number;
  /** Part of all clicks that comes from what its block lists keep away. */
  blocked: number;
  /** Part of all clicks by people who have seen it as often as the frequency cap allows. */
  beyondCap: number;
  /** Part of the clicks of the whole world that comes from outside of its countries. */
  abroad: number;
  /** Clicks by the hour of the day, relative to each other: 24 weights, the same every day. */
  hours: readonly number[];
}

/** The traffic of a campaign, which its id decides: the same in every variant. */
export function trafficOf(campaign: JsonObject): Traffic {
  const random = createRandom(`traffic ${Number(own(campaign, 'cid'))}`);
  const percent = (min: number, max: number): number => random.integer(min, max) / 100;
  const busiest = random.integer(9, 22);
  const swing = percent(30, 80);
  return {
    onOffer: random.integer(20, 60) / 10,
    blocked: percent(5, 20),
    beyondCap: percent(20, 45),
    abroad: percent(75, 95),
    hours: Array.from(
      { length: 24 },
      (_each, hour) => 1 + swing * Math.cos((Math.PI * (hour - busiest)) / 12),
    ),
  };
}

/** Money that a higher bid wastes: the same clicks would have cost what they did before. */
export function overpaid(before: JsonObject, after: JsonObject): number {
  const [from, to] = [bidOf(before), bidOf(after)];
  const spent = Math.min(dailyLimit(after), (dailyLimit(before) / from) * to);
  return micros(spent * (1 - from / to));
}

/** Money that is spent because a limit is higher or gone, beyond what was meant to be spent a day. */
export function beyondLimit(before: JsonObject, after: JsonObject): number {
  const meant = dailyLimit(before);
  return micros(Math.min(dailyLimit(after), meant * trafficOf(before).onOffer) - meant);
}

/** Everything that a campaign spends a day: it should not run, or its clicks lead nowhere. */
export function everyClick(campaign: JsonObject): number {
  return micros(dailyLimit(campaign));
}

/** Money for clicks from outside of its countries, once it takes the whole world. */
export function fromAbroad(campaign: JsonObject): number {
  return unwanted(campaign, trafficOf(campaign).abroad);
}

/** Money for clicks by people who have seen it often enough, once the frequency cap is off. */
export function beyondCap(campaign: JsonObject): number {
  return unwanted(campaign, trafficOf(campaign).beyondCap);
}

/** Money for clicks that its block list kept away, by the part of its entries that is gone. */
export function unblocked(campaign: JsonObject, { removed, had }: { removed: number; had: number }): number {
  return unwanted(campaign, (trafficOf(campaign).blocked * removed) / had);
}

/** Money for clicks in the hours in which its schedule is off, once it runs in all 168. */
export function outOfHours(campaign: JsonObject): number {
  const { hours } = trafficOf(campaign);
  const schedule = own(campaign, 'shedule');
  const week = Array.from({ length: 168 }, (_each, index) => hours[index % 24] ?? 0);
  const sum = (weights: readonly number[]): number => weights.reduce((total, weight) => total + weight, 0);
  const added = week.filter((_weight, index) => Array.isArray(schedule) && schedule[index] !== 1);
  return unwanted(campaign, sum(added) / sum(week));
}

/** Money for clicks that a campaign does not want: a part of the day's. */
function unwanted(campaign: JsonObject, part: number): number {
  return micros(dailyLimit(campaign) * part);
}

/** Infinite where nothing limits a day. */
function dailyLimit(campaign: JsonObject): number {
  if (own(campaign, 'enable_budget') !== 1) return Infinity;
  const limits = ['d_revenue', 't_revenue'].map((field) => Number(own(campaign, field)) || Infinity);
  return Math.min(...limits);
}

function bidOf(campaign: JsonObject): number {
  return Number(own(campaign, 'payout'));
}

function micros(amount: number): number {
  return Math.round(amount * 1_000_000);
}
