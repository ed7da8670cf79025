import {
  type Decision,
  type DecisionResult,
  decisionResultSchema,
  type Seen,
  type Showing,
  showingSchema,
  turnedSchema,
} from '#shared/host-api/index.ts';
import { loadedPictureSchema, targetPageSchema } from '#shared/app-api/index.ts';
import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';
import type { ConfirmBridge } from './confirm-bridge.ts';
import { secretHeader, takeTicket } from './session-secret.ts';

/** The session for a reload; it ends with this tab. */
interface Session {
  secret: string;
  showingId: string;
  nonce: string;
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

async function ask(
  path: string,
  body: { showingId: string; url?: string; to?: string; from?: number },
): Promise<unknown> {
  const session = sessionOf(body.showingId);
  if (!session) throw new AppError('not_signed_in');
  const answer = (await post(path, body, session.secret)) as { output?: unknown } | null;
  return answer?.output;
}

const identity = ({ showingId, nonce }: Seen): Seen => ({
  showingId,
  nonce,
});

/** The showing that takes the place of another one. The window may belong to a third one by now, which keeps its session. */
function goOn(from: Seen, output: { showing: unknown; secret: string }): Showing {
  const showing = showingSchema.parse(output.showing);
  if (sessionOf(from.showingId)) keep({ secret: output.secret, ...identity(showing) });
  return showing;
}

/**
 * The confirmation bridge of the browser host: its own origin, a one-time ticket in the fragment, then a secret that
 * travels as a header. The page needs no other permission, and the app's page cannot call this host.
 */
export function createHttpConfirmBridge(): ConfirmBridge {
  const look = async (seen: Seen): Promise<Showing> => {
    const output = await ask('/confirmation/look', seen);
    // It ended while this page asked, which is no error to the browser's console.
    if (output === null) throw new AppError('showing_unknown');
    return showingSchema.parse(output);
  };
  let openings = 0;

  return {
    async open() {
      const opening = (openings += 1);
      const ticket = takeTicket();
      if (ticket === null) {
        const session = storedSession();
        if (!session) throw new AppError('not_signed_in');
        return look({ showingId: session.showingId, nonce: session.nonce });
      }
      sessionStorage.removeItem(sessionKey);
      const answer = (await post('/session', { ticket }, null)) as { secret: string; showing: unknown };
      const showing = showingSchema.parse(answer.showing);
      if (opening !== openings) throw new AppError('showing_unknown');
      keep({ secret: answer.secret, ...identity(showing) });
      return showing;
    },
    look: (showing) => look(identity(showing)),
    async seen(showing) {
      await ask('/confirmation/seen', identity(showing));
    },
    async picture(showing, url) {
      return loadedPictureSchema.parse(await ask('/confirmation/picture', { ...identity(showing), url }));
    },
    async targets(showing, from) {
      return targetPageSchema.parse(await ask('/confirmation/targets', { ...identity(showing), from }));
    },
    async prepareAgain(showing) {
      const output = (await ask('/confirmation/prepare-again', identity(showing))) as {
        showing: unknown;
        secret: string;
      };
      return goOn(showing, output);
    },
    async undo(showing) {
      const output = (await ask('/confirmation/undo', identity(showing))) as {
        showing: unknown;
        secret: string;
      };
      return goOn(showing, output);
    },
    async decide(decision: Decision): Promise<DecisionResult> {
      const output = (await ask('/confirmation/decide', decision)) as {
        result: unknown;
        secret: string | null;
      };
      const result = decisionResultSchema.parse(output.result);
      // The window may belong to another showing by now, which keeps its session.
      if (!sessionOf(decision.showingId)) return result;
      if (output.secret === null) sessionStorage.removeItem(sessionKey);
      else keep({ secret: output.secret, ...identity(result.again ?? decision) });
      return result;
    },
    async turn(from, to) {
      const output = (await ask('/confirmation/turn', { ...identity(from), to })) as {
        turned: unknown;
        secret: string;
      };
      const turned = turnedSchema.parse(output.turned);
      // The window may belong to another showing by now, which keeps its session.
      if (sessionOf(from.showingId)) keep({ secret: output.secret, ...identity(turned.showing ?? from) });
      return turned;
    },
    async close() {
      window.close();
    },
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
