import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { type Clocks, runningWeek, runs } from '#shared/campaign/index.ts';
import { leastActivationMicros } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export type Forecast = NonNullable<CheckedCampaign['forecast']>;

/** An account's available balance, in integer micros; null if unknown. */
export type BalanceOf = (uid: number) => number | null;

const active = 1;

/** Status and running hours after the change; for an activation also whether the account can pay for it. */
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
  return balanceMicros < leastActivationMicros ? 'too_low' : 'enough';
}
