import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserPage, browserPageHeaders, createPageStyle, html } from '#core/platform/browser-page.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { headerValues } from '#core/platform/loopback/guards.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { AppError } from '#shared/errors/index.ts';

/** The one path that is answered. */
const callbackPath = '/callback';

/** No code or word of an authorization server is longer, in characters. */
const maxValueLength = 4096;

/** The answer of the authorization server, with the state that it was asked with. */
export interface Callback {
  /** Each of them once. Either `code` or `error` is among them. */
  parameters: URLSearchParams;
  /** Answers the browser, which waits for it. Resolves when that is done. */
  show(page: CallbackPage): Promise<void>;
}

/** Waits on the loopback for the answer to one authorization request. */
export interface CallbackListener extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/callback` */
  redirectUri: string;
  /** Settles with the first request that carries the state, and not before; never rejects. */
  arrived: Promise<Callback>;
}

/**
 * Opens the callback (RFC 8252 §7.3). Only a plain GET of the exact path, under the address that was registered, with the
 * state and each parameter once ends the wait; whatever else comes is refused, and the wait goes on. The state works once.
 * Fails with `port_taken`.
 */
export async function openCallbackListener(options: {
  /** 0 takes any free port. */
  port: number;
  state: string;
  logger: Logger;
}): Promise<CallbackListener> {
  const { port, state, logger } = options;
  const { promise: arrived, resolve } = Promise.withResolvers<Callback>();
  let isOpen = true;
  const listener = await openLoopbackListener({
    port,
    logger,
    handler(request, response) {
      checkRequest(request, response, listener.port);
      const parameters = isOpen ? readParameters(request, state) : null;
      if (parameters === null) {
        void sendCallbackPage(response, 'expired');
        return;
      }
      isOpen = false;
      resolve({ parameters, show: showOnce(response) });
    },
  });
  return { redirectUri: `${listener.origin}${callbackPath}`, arrived, dispose: listener.dispose };
}

/** Fails with `host_not_allowed`, `not_found` or `method_not_allowed`. */
function checkRequest(request: IncomingMessage, response: ServerResponse, port: number): void {
  // The guards let `localhost` pass as well; it is not what was registered.
  if (headerValues(request, 'host')[0]?.toLowerCase() !== `127.0.0.1:${port}`) {
    throw new AppError('host_not_allowed');
  }
  if (request.url?.split('?', 1)[0] !== callbackPath) throw new AppError('not_found');
  if (request.method === 'GET') return;
  response.setHeader('allow', 'GET');
  throw new AppError('method_not_allowed');
}

/** The parameters of an answer that belongs to this request for access, or null for any other. */
function readParameters({ url = '' }: IncomingMessage, state: string): URLSearchParams | null {
  const parameters = new URLSearchParams(url.slice(callbackPath.length));
  const entries = [...parameters];
  const isRepeated = new Set(parameters.keys()).size < entries.length;
  if (isRepeated || entries.some(([, value]) => value.length > maxValueLength)) return null;
  if (!isSameSecret(parameters.get('state') ?? '', state)) return null;
  const isOne = Boolean(parameters.get('code')) !== Boolean(parameters.get('error'));
  return isOne ? parameters : null;
}

function showOnce(response: ServerResponse): (page: CallbackPage) => Promise<void> {
  let shown: Promise<void> | null = null;
  return (page) => (shown ??= sendCallbackPage(response, page));
}

/** The result of a sign-in, for the browser. */
export type CallbackPage = 'signed-in' | 'refused' | 'failed' | 'expired';

/** Fixed words alone: nothing that the service or the address says is repeated on the page. */
const pages: Record<CallbackPage, { status: number; title: string; next: string }> = {
  'signed-in': {
    status: 200,
    title: 'You are signed in',
    next: 'You can close this page and go back to Countersign.',
  },
  refused: {
    status: 403,
    title: 'The sign-in was not granted',
    next: 'You can close this page. Countersign shows the service’s answer.',
  },
  failed: {
    status: 400,
    title: 'The sign-in did not work',
    next: 'You can close this page. Countersign shows what happened and what to do.',
  },
  expired: {
    status: 400,
    title: 'This page has expired',
    next: 'You can close this page. Start the sign-in again in Countersign, if you still need it.',
  },
};

const style = createPageStyle(`
main { padding: 20px 24px; }
p { margin: 4px 0 0; color: var(--soft); }
`);

/**
 * Sends the page and ends the connection; resolves when it is sent, or when the browser has gone. The page runs no
 * script, loads nothing, cannot be framed, and sends its address, with the code in it, nowhere.
 */
function sendCallbackPage(response: ServerResponse, page: CallbackPage): Promise<void> {
  const { status, title, next } = pages[page];
  return new Promise((resolve) => {
    response.once('close', resolve);
    if (response.destroyed) resolve();
    response.writeHead(status, {
      ...browserPageHeaders(style),
      'cross-origin-opener-policy': 'same-origin',
      connection: 'close',
    });
    const card = html`<h1>${title}</h1>
      <p>${next}</p>`;
    response.end(browserPage({ style, site: 'Countersign', title, card }).text, resolve);
  });
}
