import { inertText } from '#shared/lib/inert-text.ts';
import type { KnownAgent } from '#renderer/stores/ledger/index.ts';
import { shortMomentText } from '#renderer/ui/index.ts';

/** All agents, and each by the name that it gives itself and the moment when it was let in. */
export function agentOptions(agents: readonly KnownAgent[], all: string): { id: string; label: string }[] {
  const nowMs = Date.now();
  return [
    { id: '', label: all },
    ...agents.map(({ id, name, sinceMs }) => ({
      id,
      label: `${inertText(name)} · ${shortMomentText(sinceMs, nowMs)}`,
    })),
  ];
}
