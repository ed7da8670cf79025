import type { Seen, Showing } from '#shared/host-api/index.ts';
import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';
import { type ConfirmBridge, confirmCalls } from './confirm-bridge.ts';
import { secretHeader, takeTicket } from './session-secret.ts';

/** The session for a reload; it ends with this tab. */
interface Session extends Seen {
  secret: string;
}

const sessionKey = 'countersign.showing';

function keep(session: Session): void {
  sessionStorage.setItem(sessionKey, JSON.stringify(session));
}

function storedSession(): Session | null {
  const text = sessionStorage.getItem(sessionKey);
  return text === null ? null : (JSON.parse(text) as Session);
}

async function post(path: string, body: unknown, secret: string | null): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret === null ? {} : { [secretHeader]: secret }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      cache: 'no-store',
    });
  } catch (cause) {
    throw new AppError('core_unreachable', { cause });
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { error } = (answer ?? {}) as { error?: EncodedError };
  throw error ? decodeError(error) : new AppError(response.status === 401 ? 'not_signed_in' : 'internal');
}

/** The session of a showing. The window may have been reused: the secret of one showing never asks about another. */
function sessionOf(showingId: string): Session | null {
  const session = storedSession();
  return session?.showingId === showingId ? session : null;
}

/** Asks about a showing with its secret. The answer may bring the session of the showing that the page goes on with, or end it. */
async function ask(name: string, seen: Seen): Promise<unknown> {
  const asking = sessionOf(seen.showingId);
  if (!asking) throw new AppError('not_signed_in');
  const answer = (await post(`/confirmation/${name}`, seen, asking.secret)) as Answer;
  const { output, session } = answer ?? {};
  // The window may belong to another showing by now, which keeps its session.
  if (session !== undefined && sessionOf(seen.showingId)) {
    if (session === null) sessionStorage.removeItem(sessionKey);
    else keep(session);
  }
  // It ended while this page asked.
  if (name === 'look' && output === null) throw new AppError('showing_unknown');
  return output;
}

type Answer = { output?: unknown; session?: Session | null } | null;

/** Opens the page's own showing: that of the ticket in its address, else that of a page that was loaded again. */
function opener(): () => Promise<unknown> {
  let openings = 0;
  return async () => {
    const opening = (openings += 1);
    const ticket = takeTicket();
    if (ticket === null) {
      const session = storedSession();
      if (!session) throw new AppError('not_signed_in');
      return ask('look', { showingId: session.showingId, nonce: session.nonce });
    }
    sessionStorage.removeItem(sessionKey);
    const answer = (await post('/session', { ticket }, null)) as { secret: string; showing: Showing };
    if (opening !== openings) throw new AppError('showing_unknown');
    const { showingId, nonce } = answer.showing;
    keep({ secret: answer.secret, showingId, nonce });
    return answer.showing;
  };
}

/**
 * The confirmation bridge of the browser host: its own origin, a one-time ticket in the fragment, then a secret that
 * travels as a header. The page needs no other permission, and the app's page cannot call this host.
 */
export function createHttpConfirmBridge(): ConfirmBridge {
  const open = opener();
  return {
    ...confirmCalls(async (name, input) => {
      if (name === 'open') return open();
      if (name === 'close') return window.close();
      return ask(name, input as Seen);
    }),
    // Every showing has a window of its own here, as far as the browser lets it.
    onWaiting: () => () => {},
    onReopened(listener) {
      const changed = (): void => {
        if (location.hash.includes('ticket=')) listener();
      };
      window.addEventListener('hashchange', changed);
      return () => window.removeEventListener('hashchange', changed);
    },
  };
}
