import type { Confirmer, Showing } from '#shared/host-api/index.ts';

/** The terminal's confirmer: it has one place to show at, the prompt. */
export interface TerminalConfirmer {
  confirmer: Confirmer;
  /** What is shown, or null when nothing waits for a decision. */
  current(): Showing | null;
}

export function createTerminalConfirmer(): TerminalConfirmer {
  let showing: Showing | null = null;
  return {
    confirmer: {
      via: 'terminal',
      async show(next) {
        showing = next;
        return { address: null };
      },
      hide(showingId) {
        if (showing?.showingId === showingId) showing = null;
      },
    },
    current: () => showing,
  };
}
