import type { Guardrails } from '#shared/app-api/index.ts';
import { formatMoney } from '#shared/lib/decimal.ts';

const money = (micros: string): string => formatMoney(BigInt(micros));
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;
const some = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`);

/** Every limit that is set, one sentence each. */
export function guardrailSentences(guardrails: Guardrails): string[] {
  const { maxBidFactor, maxRaisePerDayMicros, maxRaiseUntilEndMicros, maxCampaigns } = guardrails;
  const { pace, spendPace, quietHours, untouchable } = guardrails;
  const sentences: string[] = [];
  if (maxBidFactor !== null)
    sentences.push(`A change raises a bid to ${maxBidFactor} times the current one at most.`);
  if (maxRaisePerDayMicros !== null) {
    sentences.push(`A change raises the money at risk per day by ${money(maxRaisePerDayMicros)} at most.`);
  }
  if (maxRaiseUntilEndMicros !== null) {
    const most = money(maxRaiseUntilEndMicros);
    sentences.push(`A change raises the money at risk until the end by ${most} at most.`);
  }
  if (maxCampaigns !== null) {
    sentences.push(`A change touches ${some(maxCampaigns, 'one campaign', 'campaigns')} at most.`);
  }
  if (pace !== null) {
    sentences.push(
      `An agent asks for ${some(pace.changes, 'one change', 'changes')} in ${some(pace.minutes, 'one minute', 'minutes')} at most.`,
    );
  }
  if (spendPace !== null) {
    sentences.push(
      `The changes of an agent raise the money at risk per day by ${money(spendPace.micros)} in ${some(spendPace.hours, 'one hour', 'hours')} at most.`,
    );
  }
  if (quietHours !== null) {
    sentences.push(
      `From ${hour(quietHours.fromHour)} to ${hour(quietHours.untilHour)} agents ask for nothing, in the zone of their profile.`,
    );
  }
  if (untouchable.length > 0) {
    sentences.push(
      `${some(untouchable.length, 'One campaign', 'campaigns')} may not be touched by any agent.`,
    );
  }
  return sentences;
}
