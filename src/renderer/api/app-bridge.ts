import type { AppInput, AppOutput, AppRequest, AppEvent } from '#shared/app-api/index.ts';
import { decodeError, AppError } from '#shared/errors/index.ts';
import type { AppPreload, CoreState, FirstScreen } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type AppBridge, type Connection, bridgeListeners, outputOfHost } from './bridge.ts';
import { appPreload } from './desktop-host.ts';
import {
  exchangeTicket,
  forgetSecret,
  outputOf,
  postToHost,
  readStream,
  sessionSecret,
} from './http-requests.ts';

export function createDesktopBridge(preload: Pick<AppPreload, 'ask' | 'onEvent' | 'onCoreState'>): AppBridge {
  const { publish, become, ...listeners } = bridgeListeners();
  let isStarted = false;

  return {
    ...listeners,
    async call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>> {
      return (await outputOfHost(preload.ask(name, input))) as AppOutput<R>;
    },
    async start() {
      if (isStarted) return;
      isStarted = true;
      preload.onEvent(publish);
      preload.onCoreState((state) => become(connectionOf(state)));
    },
  };
}

function connectionOf(state: CoreState): Connection {
  const pending = 'stopPending' in state && { stopPending: true as const };
  switch (state.kind) {
    case 'starting':
      return { kind: 'connecting', ...pending };
    case 'ready':
      return { kind: 'connected' };
    case 'restarting':
      return { kind: 'lost', sinceMs: state.sinceMs, ...pending };
    case 'stopped':
      return { kind: 'stopped', failure: decodeError(state.failure) };
    default:
      return assertNever(state);
  }
}

const preload = appPreload();

/** The app page's bridge. Stores take a bridge as an argument, so that tests can pass their own. */
export const appBridge: AppBridge = preload ? createDesktopBridge(preload) : createHttpBridge();

/** The rows and counts of the last session. Null if the host passed none with the page. */
export const firstScreen = takeFirstScreen();

function takeFirstScreen(): FirstScreen | null {
  // Tests of stores run without a document.
  const element = globalThis.document?.getElementById('first-screen');
  element?.remove();
  // The host has checked it.
  return element ? (JSON.parse(element.textContent) as FirstScreen) : null;
}

const backOffMs = [300, 600, 1200, 2500, 5000];

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Opening a new address in this tab changes only the fragment, so the page has to reload itself to use its ticket. */
function reloadForTicket(): void {
  if (location.hash.startsWith('#ticket=')) location.reload();
}

export function createHttpBridge(): AppBridge {
  const { publish, become, ...listeners } = bridgeListeners();
  let stream = new AbortController();

  function signOut(): void {
    forgetSecret();
    become({ kind: 'signed-out' });
  }

  async function call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>> {
    let response: Response;
    try {
      response = await postToHost(`/api/${name}`, input);
    } catch (failure) {
      const isAway = failure instanceof AppError && failure.code === 'core_unreachable';
      if (isAway && listeners.connection().kind === 'connected') {
        become({ kind: 'lost', sinceMs: Date.now() });
        // The stream may not have noticed the lost connection. The next stream detects when the host is back.
        stream.abort();
      }
      throw failure;
    }
    try {
      return (await outputOf(response)) as AppOutput<R>;
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'not_signed_in') signOut();
      throw failure;
    }
  }

  async function listen(): Promise<void> {
    let attempt = 0;
    while (listeners.connection().kind !== 'signed-out') {
      const secret = sessionSecret();
      if (secret === null) return signOut();
      stream = new AbortController();
      try {
        await readStream({
          path: '/events',
          secret,
          signal: stream.signal,
          onOpen() {
            attempt = 0;
            become({ kind: 'connected' });
          },
          onItem: (event) => publish(event as AppEvent),
        });
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_signed_in') return signOut();
      }
      become({ kind: 'lost', sinceMs: Date.now() });
      await wait(backOffMs[Math.min(attempt++, backOffMs.length - 1)] ?? 0);
    }
  }

  let started: Promise<void> | null = null;

  async function begin(): Promise<void> {
    window.addEventListener('hashchange', reloadForTicket);
    await exchangeTicket().catch(() => undefined);
    if (sessionSecret() === null) signOut();
    else void listen();
  }

  return {
    ...listeners,
    call,
    start: () => (started ??= begin()),
  };
}
