import { quoted } from '#shared/lib/inert-text.ts';

interface Asker {
  kind: 'person' | 'agent' | 'schedule';
  /** Foreign text where it is not a person's. */
  name: string;
}

/** Who wants something, each once: `“Claude Code” (agent), you`. */
export function askerNames(askers: readonly Asker[]): string {
  const names = askers.map(nameOf);
  return [...new Set(names)].join(', ');
}

function nameOf({ kind, name }: Asker): string {
  if (kind === 'person') return 'you';
  return kind === 'schedule' ? `schedule ${quoted(name)}` : `${quoted(name)} (agent)`;
}

/** Who proposed it; of agents' changes under one decision (`members`), the agents, and not the person who put them together. */
export function askedWords(proposer: Asker, members: readonly Asker[] | null): string {
  return members?.some(({ kind }) => kind === 'agent') === true
    ? `asked for by ${askerNames(members)}; put together by you`
    : `proposed by ${askerNames(members ?? [proposer])}`;
}
