import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { createRandom } from '../../lib/random.ts';

/**
 * Prices a fault (docs/training.md). A campaign buys as many clicks as its daily budget pays for at its bid. For CPM
 * campaigns a click stands for a thousand impressions.
 */
export interface Traffic {
  /** Clicks available at this bid, as a multiple of the clicks bought. */
  onOffer: number;
  /** Share of clicks that the campaign's block lists exclude. */
  blocked: number;
  /** Share of clicks beyond the frequency cap. */
  beyondCap: number;
  /** Share of all clicks that come from outside the campaign's countries. */
  abroad: number;
  /** 24 weights, one per hour of the day. */
  hours: readonly number[];
}

/** Derived from the campaign's id, so it is equal in every variant. */
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

/** A higher bid buys the same clicks at a higher price. */
export function overpaid(before: JsonObject, after: JsonObject): number {
  const [from, to] = [bidOf(before), bidOf(after)];
  const spent = Math.min(dailyLimit(after), (dailyLimit(before) / from) * to);
  return micros(spent * (1 - from / to));
}

/** Money spent beyond the intended daily limit. */
export function beyondLimit(before: JsonObject, after: JsonObject): number {
  const intended = dailyLimit(before);
  return micros(Math.min(dailyLimit(after), intended * trafficOf(before).onOffer) - intended);
}

export function everyClick(campaign: JsonObject): number {
  return micros(dailyLimit(campaign));
}

export function fromAbroad(campaign: JsonObject): number {
  return unwanted(campaign, trafficOf(campaign).abroad);
}

export function beyondCap(campaign: JsonObject): number {
  return unwanted(campaign, trafficOf(campaign).beyondCap);
}

export function unblocked(campaign: JsonObject, { removed, had }: { removed: number; had: number }): number {
  return unwanted(campaign, (trafficOf(campaign).blocked * removed) / had);
}

export function outOfHours(campaign: JsonObject): number {
  const { hours } = trafficOf(campaign);
  const schedule = own(campaign, 'shedule');
  const week = Array.from({ length: 168 }, (_each, index) => hours[index % 24] ?? 0);
  const sum = (weights: readonly number[]): number => weights.reduce((total, weight) => total + weight, 0);
  const added = week.filter((_weight, index) => Array.isArray(schedule) && schedule[index] !== 1);
  return unwanted(campaign, sum(added) / sum(week));
}

function unwanted(campaign: JsonObject, part: number): number {
  return micros(dailyLimit(campaign) * part);
}

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
