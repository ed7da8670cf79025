import type { Asker } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

/** Who wants something, each once: `“Claude Code” (agent), you`. */
export function askerNames(askers: readonly Asker[]): string {
  const names = askers.map(({ kind, name }) => (kind === 'person' ? 'you' : `${quoted(name)} (agent)`));
  return [...new Set(names)].join(', ');
}
