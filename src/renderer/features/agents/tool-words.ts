import type { PillTone } from '#renderer/ui/index.ts';
import type { AgentView, ProfileView, ToolView } from '#shared/app-api/index.ts';

/** What happens to a call of the tool, as a dot and words. */
export function treatWords({ state, treatAs, hash }: ToolView): { tone: PillTone; label: string } {
  if (state !== 'pinned') {
    return {
      tone: 'bad',
      label: hash === null ? 'New: not offered to agents' : 'Changed: every call is held',
    };
  }
  switch (treatAs) {
    case 'read':
      return { tone: 'neutral', label: 'Reads: passes' };
    case 'prepare':
      return { tone: 'busy', label: 'Prepare only' };
    case 'write':
      return { tone: 'waiting', label: 'Waits for you' };
  }
}

/** What nobody has looked at yet comes first, then by name. */
export function inOrder(tools: readonly ToolView[]): ToolView[] {
  const rank = ({ state }: ToolView): number => (state === 'pinned' ? 1 : 0);
  return tools.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'));
}

/** The profiles whose tools agents may use: the one in front, and those of agents that are let in. */
export function toolProfiles(front: ProfileView | undefined, agents: readonly AgentView[]): ProfileView[] {
  const all = new Map<string, ProfileView>();
  if (front) all.set(front.id, front);
  for (const { profile, ended } of agents) {
    if (profile !== null && ended === null && !all.has(profile.id)) all.set(profile.id, profile);
  }
  return [...all.values()];
}
