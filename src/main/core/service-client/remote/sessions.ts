import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import { withRetry, type Pauses } from '../retry.ts';
import type { Session, SessionOptions } from './session.ts';

/** The session of now; however many ask, one is begun. */
export interface Sessions extends AsyncDisposable {
  /** Begins one where there is none. After a failure, the next one who asks begins again. */
  current(): Promise<Session>;
  /** The service does not know this one any more: the next one who asks gets another. */
  lost(session: Session): void;
}

/** A session with the mark of the attempt that began it: the service may forget it before it is handed over. */
interface Begun {
  mark: symbol;
  session: Session;
}

/** Loads the modules of a session, and the SDK with them. */
export const loadRemoteTools = () => import('./session.ts');

/** Makes the holder; nothing is asked before the first `current`. */
export function createSessions(
  options: Omit<SessionOptions, 'signal'> & { retryPauses: Pauses | undefined },
): Sessions {
  const closing = new AbortController();
  let opening: Promise<Session> | null = null;
  let held: Begun | null = null;
  let hadOne = false;

  async function begin(): Promise<Session> {
    const { signal } = closing;
    const begun = await withRetry(attempt, { pauses: options.retryPauses, signal });
    const { session } = begun;
    if (signal.aborted) {
      await session.end(true);
      throw new AppError('call_cancelled');
    }
    held = begun;
    // Changes between two sessions were not announced.
    if (hadOne) options.onGap();
    hadOne = true;
    return session;
  }

  async function attempt(): Promise<Begun> {
    const mark = Symbol('session');
    const onLost = (): void => endHeld((begun) => begun.mark === mark);
    // With it comes the SDK, which no start of the core waits for.
    const { beginSession } = await loadRemoteTools();
    return { mark, session: await beginSession({ ...options, signal: closing.signal, onLost }) };
  }

  function endHeld(isLost: (begun: Begun) => boolean): void {
    if (held === null || !isLost(held)) return;
    const { session } = held;
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
    lost: (lost) => endHeld(({ session }) => session === lost),
    async dispose() {
      if (closing.signal.aborted) return;
      const session = opening?.catch(() => null);
      closing.abort(new AppError('call_cancelled'));
      await (await session)?.end(true);
    },
  };
}
