import type { Confirmer, Showing } from '#shared/host-api/index.ts';

/** The terminal's confirmer: it has one place to show at, the prompt. */
export interface TerminalConfirmer {
  confirmer: Confirmer;
  /** What is shown, or null when nothing waits for a decision. */
  current(): Showing | null;
  /** Resolves when this showing is over: it was decided, or its proposal expired or was withdrawn. */
  over(showingId: string): Promise<void>;
}

export function createTerminalConfirmer(): TerminalConfirmer {
  let showing: Showing | null = null;
  let end = Promise.withResolvers<void>();
  return {
    confirmer: {
      via: 'terminal',
      async show(next) {
        end.resolve();
        end = Promise.withResolvers<void>();
        showing = next;
        return { address: null };
      },
      hide(showingId) {
        if (showing?.showingId !== showingId) return;
        showing = null;
        end.resolve();
      },
    },
    current: () => showing,
    over: async (showingId) => (showing?.showingId === showingId ? end.promise : undefined),
  };
}
