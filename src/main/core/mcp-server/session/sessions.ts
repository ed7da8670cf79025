import { AppError } from '#shared/errors/index.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { McpLimits, McpServerOptions, Principal, SessionEnd } from '../surface.ts';
import type { Session } from './session.ts';

export interface Sessions<P extends Principal> extends AsyncDisposable {
  readonly size: number;
  /** Finds a session and marks it as used. Fails with `session_unknown`, also for another principal's session. */
  use(id: string, principal: P): Session<P>;
  /**
   * Opens a session. Over a limit, the least recently used sessions end; sessions with running calls end last. Fails with
   * `shutting_down`.
   */
  open(principal: P, protocolVersion: string): Promise<Session<P>>;
  /** Ends a session at the request of its client. Fails as the surface does. */
  end(session: Session<P>): Promise<void>;
  /** Ends a session without a request of its client. Failures of the surface are logged. */
  drop(session: Session<P>): Promise<void>;
  all(): Session<P>[];
}

export function createSessions<P extends Principal>(
  options: McpServerOptions<P>,
  limits: McpLimits,
): Sessions<P> {
  const { clock, ids, surface, logger } = options;
  /** Least recently used first. Uses the monotonic clock, so that a change of the system time ends no session. */
  const open = new Map<string, { session: Session<P>; usedMs: number }>();
  let isEnded = false;

  const end = async (session: Session<P>, how: SessionEnd): Promise<void> => {
    const wasOpen = open.delete(session.id);
    if (wasOpen) options.onSessions?.();
    await session.end();
    if (wasOpen) surface.sessionEnded?.(session.principal, session.id, how);
  };
  const drop = async (session: Session<P>): Promise<void> => {
    try {
      await end(session, 'dropped');
    } catch (err) {
      logger.error({ err }, 'What belonged to an MCP session could not be ended with it');
    }
  };
  const isIdle = ({ session, usedMs }: { session: Session<P>; usedMs: number }): boolean =>
    !session.isBusy && clock.monotonicMs() - usedMs > limits.sessionIdleMs;
  const used = (session: Session<P>): void => {
    open.delete(session.id);
    open.set(session.id, { session, usedMs: clock.monotonicMs() });
  };
  /** Ends sessions without running calls first: a call may be waiting for a person. */
  const makeRoom = async (opened: Session<P>): Promise<void> => {
    const others = [...open.values()].map(({ session }) => session).filter((session) => session !== opened);
    const isCalled = ({ running }: Session<P>): number => Number(running > 0);
    const uncalledFirst = others.toSorted((one, other) => isCalled(one) - isCalled(other));
    const own = uncalledFirst.filter((session) => session.principal.key === opened.principal.key);
    const overOwn = own.slice(0, Math.max(0, own.length + 1 - limits.maxSessionsPerPrincipal));
    const over = uncalledFirst.slice(0, Math.max(0, others.length + 1 - limits.maxSessions));
    await Promise.all([...new Set([...overOwn, ...over])].map(drop));
  };
  const cancelSweep = repeat(clock, limits.sessionIdleMs / 2, () => {
    for (const entry of open.values()) if (isIdle(entry)) void drop(entry.session);
  });

  return {
    get size() {
      return open.size;
    },
    use(id, principal) {
      const entry = open.get(id);
      if (entry === undefined || entry.session.principal.key !== principal.key || isIdle(entry)) {
        throw new AppError('session_unknown');
      }
      entry.session.seen(principal);
      used(entry.session);
      return entry.session;
    },
    async open(principal, protocolVersion) {
      const id = ids.secret();
      const { openSession } = await import('./session.ts');
      const session = await openSession({ id, options, limits, opener: principal, protocolVersion });
      if (isEnded) throw new AppError('shutting_down');
      used(session);
      options.onSessions?.();
      await makeRoom(session);
      return session;
    },
    end: (session) => end(session, 'asked'),
    drop,
    all: () => [...open.values()].map(({ session }) => session),
    async dispose() {
      isEnded = true;
      cancelSweep();
      await Promise.all([...open.values()].map(({ session }) => drop(session)));
    },
  };
}

function repeat(
  clock: { after: McpServerOptions<Principal>['clock']['after'] },
  everyMs: number,
  call: () => void,
) {
  let cancel = clock.after(everyMs, again);
  function again(): void {
    call();
    cancel = clock.after(everyMs, again);
  }
  return () => cancel();
}
