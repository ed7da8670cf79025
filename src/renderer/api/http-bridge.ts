import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type AppBridge, bridgeListeners } from './bridge.ts';
import {
  exchangeTicket,
  forgetSecret,
  outputOf,
  postToHost,
  readStream,
  sessionSecret,
} from './http-requests.ts';

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
