import { shortMomentText } from '#renderer/ui/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';

/** What came of everything that an agent asked for: `12 asked · 8 approved · 2 denied`. */
export function tallyWords({ asked, approved, denied, lapsed, waiting }: AgentView['tally']): string {
  if (asked === 0) return 'asked for nothing yet';
  const parts = [
    `${asked} asked`,
    `${approved} approved`,
    `${denied} denied`,
    ...(lapsed === 0 ? [] : [`${lapsed} lapsed`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
  ];
  return parts.join(' · ');
}

/** `Repeated refreshes: 3, last 14:02`. */
export function repeatedRefreshesWords(
  { count, lastMs }: NonNullable<AgentView['repeatedRefreshes']>,
  nowMs: number,
): string {
  return `Repeated refreshes: ${count}, last ${shortMomentText(lastMs, nowMs)}`;
}

/** What repeated refreshes mean to a person, for the title of these words. */
export const repeatedRefreshesMeaning =
  'Calls that refreshed the sign-in at the same moment got the same answer. Many of them, or some while the agent rests, are worth a look: revoke it if in doubt.';

const endings: Record<NonNullable<AgentView['ended']>['because'], string> = {
  revoked: 'you revoked it',
  replaced: 'it was admitted anew',
  'signed-out': 'its sign-in ended',
  'profile-removed': 'its profile was removed',
};

/** Why an agent is not let in any more. */
export function endWords({ because }: NonNullable<AgentView['ended']>): string {
  return endings[because];
}

/** Those who are let in, and those who no longer are, in the order of the list. */
export function byStanding(agents: readonly AgentView[]): { living: AgentView[]; ended: AgentView[] } {
  return {
    living: agents.filter(({ ended }) => ended === null),
    ended: agents.filter(({ ended }) => ended !== null),
  };
}

/** How many are connected, in words for the head of the page. */
export function connectedWords(agents: readonly AgentView[]): string {
  const count = agents.filter(({ connected }) => connected).length;
  return count === 0 ? 'none connected' : `${count} connected`;
}
