import { type JsonObject, own } from '../../lib/json/json-value.ts';

/**
 * Model of what a fault would have cost a day, which anyone can check by hand. A campaign buys the clicks that its daily budget
 * pays at its bid, and no others: limits cap what is spent. Four times as many clicks are on offer at the same bid. A tenth of all
 * clicks comes from what its block lists keep away, a third from people who have seen it as often as the frequency cap allows, and
 * nine of ten clicks of the whole world come from outside of its countries. Clicks of CPM campaigns are thousands of impressions.
 */
const model = { onOffer: 4, blocked: 0.1, beyondCap: 1 / 3, abroad: 0.9 } as const;

/** Money that a higher bid wastes: the same clicks would have cost what they did before. */
export function overpaid(before: JsonObject, after: JsonObject): number {
  const [from, to] = [bidOf(before), bidOf(after)];
  const spent = Math.min(dailyLimit(after), (dailyLimit(before) / from) * to);
  return micros(spent * (1 - from / to));
}

/** Money that is spent because a limit is higher or gone, beyond what was meant to be spent a day. */
export function beyondLimit(before: JsonObject, after: JsonObject): number {
  const meant = dailyLimit(before);
  return micros(Math.min(dailyLimit(after), meant * model.onOffer) - meant);
}

/** Everything that a campaign spends a day: it should not run, or its clicks lead nowhere. */
export function everyClick(campaign: JsonObject): number {
  return micros(dailyLimit(campaign));
}

/** Money for clicks that were kept away before: a share of the day's. */
export function unwanted(campaign: JsonObject, share: number): number {
  return micros(dailyLimit(campaign) * share);
}

/** Shares of a day's money that go to clicks which a campaign does not want. */
export const shares = {
  abroad: model.abroad,
  beyondCap: model.beyondCap,
  /** By the part of the block list that is gone. */
  unblocked: (removed: number, had: number): number => (model.blocked * removed) / had,
  /** By the hours a week that are added, of all that are on then. */
  addedHours: (added: number, on: number): number => added / on,
} as const;

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
