import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import { withRetry, type Pauses } from '../retry.ts';
import { beginSession, type Session, type SessionOptions } from './session.ts';

/** The session of now; however many ask, one is begun. */
export interface Sessions extends AsyncDisposable {
  /** Begins one where there is none. After a failure, the next one who asks begins again. */
  current(): Promise<Session>;
  /** The service does not know this one any more: the next one who asks gets another. */
  lost(session: Session): void;
}

/** Makes the holder; nothing is asked before the first `current`. */
export function createSessions(
  options: Omit<SessionOptions, 'signal' | 'onLost'> & {
    retryPauses: Pauses | undefined;
    onLost(): void;
  },
): Sessions {
  const closing = new AbortController();
  let opening: Promise<Session> | null = null;
  let held: Session | null = null;
  let hadOne = false;

  async function begin(): Promise<Session> {
    const { signal } = closing;
    const attempt = (): Promise<Session> => beginSession({ ...options, signal, onLost: lost });
    const session = await withRetry(attempt, { pauses: options.retryPauses, signal });
    if (signal.aborted) {
      await session.end(true);
      throw new AppError('call_cancelled');
    }
    held = session;
    // Changes between two sessions were not announced.
    if (hadOne) options.onGap();
    hadOne = true;
    return session;
  }

  function lost(session: Session): void {
    if (session !== held) return;
    held = null;
    opening = null;
    void session.end(false);
    options.onLost();
  }

  return {
    current() {
      if (closing.signal.aborted) return Promise.reject(new AppError('call_cancelled'));
      opening ??= begin().catch((failure: unknown) => {
        opening = null;
        throw failure;
      });
      return opening;
    },
    lost,
    async dispose() {
      if (closing.signal.aborted) return;
      const session = opening?.catch(() => null);
      closing.abort(new AppError('call_cancelled'));
      await (await session)?.end(true);
    },
  };
}
