import { type PillTone } from '#renderer/ui/index.ts';
import type { Rule } from '#renderer/stores/agents/guardrails-form.ts';
import type { AgentView, AppOutput, ProfileView, RefusingRule, ToolView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Counts of an agent's requests by outcome, without zeros: `12 requested · 8 approved · 2 denied`. */
export function tallyWords({ asked, ...outcomes }: AgentView['tally']): string {
  if (asked === 0) return 'no requests yet';
  const { approved, denied, expired, withdrawn, outdated, waiting } = outcomes;
  const all = Object.entries({ requested: asked, approved, denied, expired, withdrawn, outdated, waiting });
  return all.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(' · ');
}

export function repeatedRefreshesWords(
  { count, lastMs }: NonNullable<AgentView['repeatedRefreshes']>,
  nowMs: number,
  formats: Formats,
): string {
  return `Repeated refreshes: ${count}, last ${formats.shortMoment(lastMs, nowMs)}`;
}

export const repeatedRefreshesMeaning =
  'Refreshes of the sign-in at the same moment get the same answer. If there are many, or any while the agent is idle, revoke its access.';

const endings: Record<NonNullable<AgentView['ended']>['because'], string> = {
  revoked: 'you revoked it',
  replaced: 'it was admitted again',
  'signed-out': 'its sign-in ended',
  'profile-removed': 'its profile was removed',
  restored: 'a backup was restored',
};

export function endWords({ because }: NonNullable<AgentView['ended']>): string {
  return endings[because];
}

export function byAccess(agents: readonly AgentView[]): { admitted: AgentView[]; ended: AgentView[] } {
  return {
    admitted: agents.filter(({ ended }) => ended === null),
    ended: agents.filter(({ ended }) => ended !== null),
  };
}

export function connectedWords(agents: readonly AgentView[]): string | null {
  const { admitted } = byAccess(agents);
  const count = admitted.filter(({ connected }) => connected).length;
  if (admitted.length === 0) return null;
  return count === 0 ? 'none connected' : `${count} connected`;
}

const treatments: Record<ToolView['treatAs'], { tone: PillTone; label: string }> = {
  read: { tone: 'neutral', label: 'Read-only' },
  prepare: { tone: 'busy', label: 'Prepare only' },
  write: { tone: 'waiting', label: 'Waits for you' },
};

export function treatWords({ state, treatAs, hash }: ToolView): { tone: PillTone; label: string } {
  if (state === 'pinned') return treatments[treatAs];
  return { tone: 'bad', label: hash === null ? 'New: not offered to agents' : 'Changed: every call is held' };
}

export function inOrder(tools: readonly ToolView[]): ToolView[] {
  const rank = ({ state }: ToolView): number => (state === 'pinned' ? 1 : 0);
  return tools.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'));
}

/** Profiles whose tools agents may use: the active profile, and the profiles of agents with access. */
export function toolProfiles(active: ProfileView | undefined, agents: readonly AgentView[]): ProfileView[] {
  const all = new Map<string, ProfileView>();
  if (active) all.set(active.id, active);
  for (const { profile, ended } of agents) {
    if (profile !== null && ended === null && !all.has(profile.id)) all.set(profile.id, profile);
  }
  return [...all.values()];
}

const ruleNames: Record<RefusingRule, string> = {
  quietHours: 'Quiet hours',
  untouchable: 'Protected campaigns',
  maxCampaigns: 'Campaign limit',
  maxBidFactor: 'Bid limit',
  maxRaisePerDay: 'Daily money limit',
  maxRaiseUntilEnd: 'Money limit until the end',
  pace: 'Pace limit',
  spendPace: 'Money limit over time',
  unreadable: 'Unreadable limits',
  policy: 'Administrator’s policy',
  frozen: 'Freeze',
  toolHeld: 'Tool held for review',
  readOnly: 'Read-only access',
  places: 'Limit of waiting changes',
  attempts: 'Limit of undecided attempts',
};

export function ruleName(rule: RefusingRule): string {
  return ruleNames[rule];
}

const settings: Partial<Record<RefusingRule, Rule | 'untouchable'>> = {
  quietHours: 'quiet',
  untouchable: 'untouchable',
  maxCampaigns: 'campaigns',
  maxBidFactor: 'bidFactor',
  maxRaisePerDay: 'raise',
  maxRaiseUntilEnd: 'raiseUntilEnd',
  pace: 'pace',
  spendPace: 'spendPace',
  unreadable: 'bidFactor',
};

/** The guardrail that caused a refusal. Null if no guardrail did. */
export function settingOf(rule: RefusingRule): Rule | 'untouchable' | null {
  return settings[rule] ?? null;
}

type PauseReach = Pick<AppOutput<'emergencyStop.get'>, 'profile' | 'elsewhere'>;

export function reachWords({ profile, elsewhere }: PauseReach): string {
  const pause = `Agents are frozen everywhere; the pause is for ${quoted(profile)} alone.`;
  if (elsewhere.length === 0) return pause;
  const names = elsewhere.map(quoted);
  const [verb, whose] = elsewhere.length === 1 ? ['has', 'its'] : ['have', 'their'];
  return `${pause} ${names.join(' and ')} ${verb} agents too: switch there to pause ${whose} campaigns.`;
}
