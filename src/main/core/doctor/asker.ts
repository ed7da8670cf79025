import { ask, type Asked, type AskOptions } from './ask.ts';
import type { NoAnswer } from './no-answer.ts';

/** Asks, and remembers where nobody answers, so that nobody waits for the same silence again. */
export interface Asker {
  ask(url: string): Promise<Asked>;
  /** Why the origin of this address is not asked any more; null where it is. */
  closed(address: string): string | null;
}

/** A service that is slow or breaks off once may answer the next time. */
const mostTries = 2;

const mayPass: ReadonlySet<NoAnswer> = new Set(['timeout', 'cut', 'redirect']);

export function createAsker(options: AskOptions): Asker {
  const closed = new Map<string, string>();
  const tries = new Map<string, number>();

  function remember(origin: string, asked: Asked): void {
    if (asked.kind === 'answer') {
      if (asked.status === 421)
        closed.set(origin, `The service does not answer as ${origin}, as seen above.`);
      return;
    }
    const count = (tries.get(origin) ?? 0) + 1;
    tries.set(origin, count);
    if (mayPass.has(asked.because) && count < mostTries) return;
    closed.set(origin, `No answer from ${origin}, as seen above.`);
  }

  return {
    async ask(url) {
      const asked = await ask(url, options);
      remember(new URL(url).origin, asked);
      return asked;
    },
    closed: (address) => closed.get(new URL(address).origin) ?? null,
  };
}
