import { type CallsOf, handlersBy } from '#shared/app-api/index.ts';
import {
  type ConfirmApi,
  confirmApi,
  type ConfirmPreload,
  type Seen,
  type Display,
} from '#shared/host-api/index.ts';
import { outputOfHost } from './bridge.ts';
import { AppError } from '#shared/errors/index.ts';
import { answerOf, post, takeTicket } from './http-requests.ts';

declare global {
  interface Window {
    /** Present only in the confirmation window of the desktop host. */
    readonly countersignConfirm?: ConfirmPreload;
  }
}

/** Requests of the confirmation page. Every call fails with an `AppError`; `core_unreachable` means no answer. */
export interface ConfirmBridge extends CallsOf<ConfirmApi> {
  /** Calls back when the window is reused for another display. Returns the unsubscribe function. */
  onReopened(listener: () => void): () => void;
  /** Calls back with the number of displays in the queue behind this one. */
  onWaiting(listener: (count: number) => void): () => void;
}

const confirmCalls = (
  ask: (name: keyof ConfirmApi, input: unknown) => Promise<unknown>,
): CallsOf<ConfirmApi> =>
  handlersBy(confirmApi, async (name, input) => confirmApi[name].output.parse(await ask(name, input)));

/** The display arrives by IPC only: no address, storage or other window ever contains its nonce. */
export function createDesktopConfirmBridge(host: ConfirmPreload): ConfirmBridge {
  const { onReopened, onWaiting } = host;
  return { ...confirmCalls((name, input) => outputOfHost(host.ask(name, input))), onReopened, onWaiting };
}

interface Session extends Seen {
  secret: string;
}

const sessionKey = 'countersign.display';

function keep(session: Session): void {
  sessionStorage.setItem(sessionKey, JSON.stringify(session));
}

function storedSession(): Session | null {
  const text = sessionStorage.getItem(sessionKey);
  return text === null ? null : (JSON.parse(text) as Session);
}

/** The window may have been reused. The secret of one display must never be sent for another. */
function sessionOf(displayId: string): Session | null {
  const session = storedSession();
  return session?.displayId === displayId ? session : null;
}

/** The answer may contain the session of the next display, or `null`, which ends the session. */
async function ask(name: string, seen: Seen): Promise<unknown> {
  const asking = sessionOf(seen.displayId);
  if (!asking) throw new AppError('not_signed_in');
  const answer = (await answerOf(await post(`/confirmation/${name}`, seen, asking.secret))) as Answer;
  const { output, session } = answer ?? {};
  // The window may already belong to another display, whose session must stay.
  if (session !== undefined && sessionOf(seen.displayId)) {
    if (session === null) sessionStorage.removeItem(sessionKey);
    else keep(session);
  }
  if (name !== 'seen' && output === null) throw new AppError('display_unknown');
  return output;
}

type Answer = { output?: unknown; session?: Session | null } | null;

function opener(): () => Promise<unknown> {
  let openings = 0;
  return async () => {
    const opening = (openings += 1);
    const ticket = takeTicket();
    if (ticket === null) {
      const session = storedSession();
      if (!session) throw new AppError('not_signed_in');
      return ask('look', { displayId: session.displayId, nonce: session.nonce });
    }
    sessionStorage.removeItem(sessionKey);
    const answer = (await answerOf(await post('/session', { ticket }, null))) as {
      secret: string;
      display: Display;
    };
    if (opening !== openings) throw new AppError('display_unknown');
    const { displayId, nonce } = answer.display;
    keep({ secret: answer.secret, displayId, nonce });
    return answer.display;
  };
}

/**
 * The bridge of the browser host. Uses a one-time ticket from the fragment, then a secret in a header. The app page
 * cannot call this host.
 */
export function createHttpConfirmBridge(): ConfirmBridge {
  const open = opener();
  return {
    ...confirmCalls(async (name, input) => {
      if (name === 'open') return open();
      if (name === 'close') return window.close();
      return ask(name, input as Seen);
    }),
    // In the browser every display has its own window.
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
