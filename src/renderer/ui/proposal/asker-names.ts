import { quoted } from '#shared/lib/inert-text.ts';

interface Asker {
  kind: 'person' | 'agent';
  /** Foreign text where it is an agent's. */
  name: string;
}

/** Who wants something, each once: `“Claude Code” (agent), you`. */
export function askerNames(askers: readonly Asker[]): string {
  const names = askers.map(({ kind, name }) => (kind === 'person' ? 'you' : `${quoted(name)} (agent)`));
  return [...new Set(names)].join(', ');
}

/** Who proposed it; of agents' changes under one decision (`members`), the agents, and not the person who put them together. */
export function askedWords(proposer: Asker, members: readonly Asker[] | null): string {
  return members?.some(({ kind }) => kind === 'agent') === true
    ? `asked for by ${askerNames(members)}; put together by you`
    : `proposed by ${askerNames(members ?? [proposer])}`;
}
