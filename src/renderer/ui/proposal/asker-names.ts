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
