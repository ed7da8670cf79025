import type { Guardrails, ProfileView } from '#shared/app-api/index.ts';

import type { Formats } from '#shared/lib/formats.ts';
import { listed } from '#shared/lib/sentence.ts';
const money = (micros: string, formats: Formats): string => formats.money(BigInt(micros));
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;
const some = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`);

/** For example `raise a bid to 2 times the current one`. */
function mainLimits(
  { maxBidFactor, maxRaisePerDayMicros, maxCampaigns }: Guardrails,
  formats: Formats,
): string[] {
  return [
    ...(maxBidFactor === null ? [] : [`raise a bid to ${maxBidFactor} times the current one`]),
    ...(maxRaisePerDayMicros === null ? [] : [`add ${money(maxRaisePerDayMicros, formats)} a day`]),
    ...(maxCampaigns === null ? [] : [`touch ${formats.counted(maxCampaigns, 'campaign')}`]),
  ];
}

export function limitsSentence(guardrails: Guardrails, kind: ProfileView['kind'], formats: Formats): string {
  const main = mainLimits(guardrails, formats);
  const others = guardrailSentences(withoutMain(guardrails), formats).length;
  if (main.length + others === 0) {
    return kind === 'demo'
      ? 'No limits, so you see the sample agent’s worst changes.'
      : 'No limits: every change that an agent proposes reaches you.';
  }
  if (main.length === 0) return `${formats.counted(others, 'limit applies', 'limits apply')} to agents.`;
  const more = others === 0 ? '' : ` ${formats.counted(others, 'more limit applies', 'more limits apply')}.`;
  return `One change of an agent may ${listed(main)} at most.${more}`;
}

/** The guardrails without those that {@link limitsSentence} describes. */
export function withoutMain(guardrails: Guardrails): Guardrails {
  return { ...guardrails, maxBidFactor: null, maxRaisePerDayMicros: null, maxCampaigns: null };
}

export function guardrailSentences(guardrails: Guardrails, formats: Formats): string[] {
  const { maxBidFactor, maxRaisePerDayMicros, maxRaiseUntilEndMicros, maxCampaigns } = guardrails;
  const { pace, spendPace, quietHours, untouchable } = guardrails;
  const sentences: string[] = [];
  if (maxBidFactor !== null)
    sentences.push(`One change may raise a bid to ${maxBidFactor} times the current one at most.`);
  if (maxRaisePerDayMicros !== null) {
    sentences.push(
      `One change may raise the money at risk per day by ${money(maxRaisePerDayMicros, formats)} at most.`,
    );
  }
  if (maxRaiseUntilEndMicros !== null) {
    const max = money(maxRaiseUntilEndMicros, formats);
    sentences.push(`One change may raise the money at risk until the end by ${max} at most.`);
  }
  if (maxCampaigns !== null) {
    sentences.push(`One change may touch ${formats.counted(maxCampaigns, 'campaign')} at most.`);
  }
  if (pace !== null) {
    sentences.push(
      `One agent may propose ${some(pace.changes, 'one change', 'changes')} in ${some(pace.minutes, 'one minute', 'minutes')} at most.`,
    );
  }
  if (spendPace !== null) {
    sentences.push(
      `The changes of one agent may raise the money at risk per day by ${money(spendPace.micros, formats)} in ${some(spendPace.hours, 'one hour', 'hours')} at most.`,
    );
  }
  if (quietHours !== null) {
    sentences.push(
      `From ${hour(quietHours.fromHour)} to ${hour(quietHours.untilHour)} agents may propose nothing, in the profile’s time zone.`,
    );
  }
  if (untouchable.length > 0) {
    sentences.push(
      `${formats.counted(untouchable.length, 'campaign is', 'campaigns are')} protected from every agent.`,
    );
  }
  return sentences;
}
