import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { type Clocks, runningWeek, runs } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export type Forecast = NonNullable<CheckedCampaign['forecast']>;

/** The available balance of a campaign's owner in integer micros; null where it is not known. */
export type BalanceOf = (uid: number) => number | null;

const active = 1;

/** The least balance of an activation, in micros: $1.00 (contract §3, §8). */
const leastBalanceMicros = 1_000_000;

/** What the campaign is after the change, and whether its account can pay for an activation. */
export function forecastOf(
  before: JsonObject,
  after: JsonObject,
  { clocks, balanceOf }: { clocks: Clocks; balanceOf: BalanceOf },
): Forecast {
  const status = Number(after['status']);
  const hoursNextWeek = runs(status) ? runningWeek(after, clocks).hours : 0;
  const isActivation = status === active && before['status'] !== active;
  return { status, hoursNextWeek, balance: isActivation ? judge(balanceOf(Number(after['uid']))) : null };
}

function judge(balanceMicros: number | null): NonNullable<Forecast['balance']> {
  if (balanceMicros === null) return 'unknown';
  return balanceMicros < leastBalanceMicros ? 'too_low' : 'enough';
}
