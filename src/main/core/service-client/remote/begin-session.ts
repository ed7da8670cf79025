import { AppError } from '#shared/errors/index.ts';
import { beginInitializedSession } from './initialized-session.ts';
import type { Session, SessionOptions } from './session.ts';
import { beginStatelessSession, OlderService } from './stateless-session.ts';

/**
 * Begins with what the service last spoke; if that is not known, with 2026-07-28, and with `initialize` if the service
 * does not speak that. A service that no longer speaks what is remembered is asked anew at the next attempt. Fails as
 * the requests do.
 */
export async function beginSession(options: SessionOptions): Promise<Session> {
  const { protocol } = options;
  if (protocol.read() !== 'initialized') {
    try {
      const session = await beginStatelessSession(options);
      protocol.write('stateless');
      return session;
    } catch (failure) {
      if (!(failure instanceof OlderService)) throw failure;
    }
  }
  try {
    const session = await beginInitializedSession(options);
    protocol.write('initialized');
    return session;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'protocol_failed') protocol.write(null);
    throw failure;
  }
}
