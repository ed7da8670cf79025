import type { AppOutput } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

/** Whom the emergency stop reaches: agents everywhere, campaigns of one profile. */
export function reachWords({
  profile,
  elsewhere,
}: Pick<AppOutput<'emergencyStop.get'>, 'profile' | 'elsewhere'>): string {
  const pause = `It freezes agents everywhere; the pause is for ${quoted(profile)} alone.`;
  if (elsewhere.length === 0) return pause;
  const names = elsewhere.map(quoted);
  const [verb, whose] = elsewhere.length === 1 ? ['has', 'its'] : ['have', 'their'];
  return `${pause} ${names.join(' and ')} ${verb} agents too: switch there to pause ${whose} campaigns.`;
}
