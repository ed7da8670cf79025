import { serviceDay } from '#shared/campaign/index.ts';
import type { Rule } from '../asked.ts';

/** By the clock on the wall in the profile's zone, so that a night stays a night when the clocks change. */
export const quietHours: Rule = ({ guardrails, proposer: { profile }, nowMs }) => {
  if (guardrails.quietHours === null) return null;
  const { fromHour, untilHour } = guardrails.quietHours;
  if (fromHour === untilHour) return 'No agent may change anything, at any hour.';
  const hour = Number(serviceDay(nowMs, profile.zone).time.slice(0, 2));
  const isQuiet =
    fromHour < untilHour ? hour >= fromHour && hour < untilHour : hour >= fromHour || hour < untilHour;
  if (!isQuiet) return null;
  const [from, until] = [clockText(fromHour), clockText(untilHour)];
  return `No agent may change anything from ${from} until ${until} (${profile.zone}). It passes from ${until} on.`;
};

function clockText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
