import type { IncomingMessage, ServerResponse } from 'node:http';
import { browserPage, browserPageHeaders, createPageStyle, html } from '#core/platform/browser-page.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { headerValues } from '#core/platform/loopback/guards.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { RegisteredClient } from '../grants.ts';

const callbackPath = '/callback';

const maxValueLength = 4096;

export interface Callback {
  /** Each parameter occurs once. Contains either `code` or `error`. */
  parameters: URLSearchParams;
  show(page: CallbackPage): Promise<void>;
}

export interface CallbackListener extends AsyncDisposable {
  redirectUri: string;
  /** Resolves with the first request that has the state. Never rejects. */
  arrived: Promise<Callback>;
}

/**
 * Opens the callback address (RFC 8252 §7.3). Only a plain GET of the exact path at the registered address, with the state
 * and each parameter once, ends the wait. Any other request is refused. The state works once. Fails with `port_taken`.
 */
export async function openCallbackListener(options: {
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

function checkRequest(request: IncomingMessage, response: ServerResponse, port: number): void {
  // The listener's guards also accept `localhost`, which was not registered.
  if (headerValues(request, 'host')[0]?.toLowerCase() !== `127.0.0.1:${port}`) {
    throw new AppError('host_not_allowed');
  }
  if (request.url?.split('?', 1)[0] !== callbackPath) throw new AppError('not_found');
  if (request.method === 'GET') return;
  response.setHeader('allow', 'GET');
  throw new AppError('method_not_allowed');
}

function readParameters({ url = '' }: IncomingMessage, state: string): URLSearchParams | null {
  const parameters = new URLSearchParams(url.slice(callbackPath.length));
  const entries = [...parameters];
  const isRepeated = new Set(parameters.keys()).size < entries.length;
  if (isRepeated || entries.some(([, value]) => value.length > maxValueLength)) return null;
  if (!isSameSecret(parameters.get('state') ?? '', state)) return null;
  const hasOneResult = Boolean(parameters.get('code')) !== Boolean(parameters.get('error'));
  return hasOneResult ? parameters : null;
}

function showOnce(response: ServerResponse): (page: CallbackPage) => Promise<void> {
  let shown: Promise<void> | null = null;
  return (page) => (shown ??= sendCallbackPage(response, page));
}

export type CallbackPage = 'signed-in' | 'refused' | 'failed' | 'expired';

/** Fixed texts only: the page repeats nothing from the service or the address. */
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

/**
 * Listens at the known client's address. If that is impossible, listens at a free port with `client: null`. The caller
 * disposes the listener.
 */
export async function openSignInListener(
  state: string,
  known: RegisteredClient | null,
  logger: Logger,
): Promise<{ listener: CallbackListener; client: RegisteredClient | null }> {
  const port = known === null ? 0 : Number(URL.parse(known.redirectUri)?.port ?? 0);
  if (port !== 0) {
    const listener = await tryOpenListener(port, state, logger);
    if (listener !== null && listener.redirectUri === known?.redirectUri) return { listener, client: known };
    await listener?.dispose();
  }
  return { listener: await openCallbackListener({ port: 0, state, logger }), client: null };
}

async function tryOpenListener(
  port: number,
  state: string,
  logger: Logger,
): Promise<CallbackListener | null> {
  try {
    return await openCallbackListener({ port, state, logger });
  } catch (failure) {
    logger.info({ port, failure }, 'The port of an earlier sign-in cannot be used');
    return null;
  }
}

interface AwaitOptions {
  open(address: string): Promise<boolean>;
  onProgress?(progress: AwaitProgress): void;
  signal: AbortSignal;
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

export type AwaitProgress =
  { kind: 'waiting'; address: string; endsAtMs: number } | { kind: 'opened'; opened: boolean };

/**
 * Waits whether or not a browser opened, because a person may copy
 * the address. Fails with `sign_in_timed_out` or `sign_in_cancelled`.
 */
export async function awaitCallback(
  listener: CallbackListener,
  address: string,
  options: AwaitOptions,
): Promise<Callback> {
  const { clock, timeoutMs, onProgress } = options;
  onProgress?.({ kind: 'waiting', address, endsAtMs: clock.nowMs() + timeoutMs });
  let isWaiting = true;
  void openBrowser(address, options).then((opened) => {
    if (isWaiting) onProgress?.({ kind: 'opened', opened });
  });
  try {
    return await firstOf(listener.arrived, options);
  } finally {
    isWaiting = false;
  }
}

async function openBrowser(address: string, { open, logger }: AwaitOptions): Promise<boolean> {
  try {
    return await open(address);
  } catch {
    // The failure is not logged, because it may contain the address and with it the state.
    logger.warn({}, 'The browser could not be opened for a sign-in');
    return false;
  }
}

function firstOf(arrived: Promise<Callback>, { timeoutMs, clock, signal }: AwaitOptions): Promise<Callback> {
  const { promise, resolve, reject } = Promise.withResolvers<Callback>();
  const cancel = (): void => reject(new AppError('sign_in_cancelled'));
  const cancelTimeout = clock.after(timeoutMs, () => reject(new AppError('sign_in_timed_out')));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  arrived.then(resolve, reject);
  return promise.finally(() => {
    cancelTimeout();
    signal.removeEventListener('abort', cancel);
  });
}
