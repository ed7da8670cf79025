import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { TenantType } from '../tenants/index.ts';
import type { Random } from './random.ts';

const dailyBudgets = [25, 30, 40, 50, 50, 75, 100, 100, 120, 150, 200, 250, 300, 500, 750];

/** A bid with the decimals that buyers use for its size, within the type's bounds. */
export function bid(random: Random, { type, usualBids }: TenantType, price: number): number {
  const [least, most] = usualBids;
  // Most bids are near the low end.
  const wanted = (least + (most - least) * random.fraction() ** 2) * price;
  const decimals = wanted < 0.02 ? 4 : wanted < 1 ? 3 : 2;
  const rounded = Number(wanted.toFixed(decimals));
  return Math.min(Math.max(rounded, type.minBid), type.maxBid);
}

/** Daily and total budget; about one in nine campaigns runs without. */
export function budgets(random: Random, minBudget: number): JsonObject {
  const daily = Math.max(random.pick(dailyBudgets), minBudget);
  const total = random.chance(0.35) ? 0 : daily * random.pick([7, 10, 14, 20, 30]);
  return { enable_budget: random.chance(0.89) ? 1 : 0, d_revenue: daily, t_revenue: total };
}
