import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';
import { AppError, decodeError, type EncodedError } from '#shared/errors/index.ts';
import { type AppBridge, watchedConnection } from './bridge.ts';
import { exchangeTicket, forgetSecret, secretHeader, sessionSecret } from './session-secret.ts';

const backOffMs = [300, 600, 1200, 2500, 5000];

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Answer {
  output?: unknown;
  error?: EncodedError;
}

/** A fresh address opened in this tab changes the fragment only; the page begins again with the new ticket. */
function reloadForTicket(): void {
  if (location.hash.startsWith('#ticket=')) location.reload();
}

/** The bridge of the browser host: requests over HTTP with this tab's secret, events over one long answer. */
export function createHttpBridge(): AppBridge {
  const events = new Set<(event: AppEvent) => void>();
  const connection = watchedConnection();

  function signOut(): void {
    forgetSecret();
    connection.become({ kind: 'signed-out' });
  }

  async function call<R extends AppRequest>(name: R, input: AppInput<R>): Promise<AppOutput<R>> {
    const secret = sessionSecret();
    if (secret === null) throw new AppError('not_signed_in');
    let response: Response;
    try {
      response = await fetch(`/api/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [secretHeader]: secret },
        body: JSON.stringify(input),
        redirect: 'error',
        cache: 'no-store',
      });
    } catch (cause) {
      if (connection.now().kind === 'connected') connection.become({ kind: 'lost', sinceMs: Date.now() });
      throw new AppError('core_unreachable', { cause });
    }
    const answer = (await response.json().catch(() => null)) as Answer | null;
    // Cut off: this is no complete answer.
    if (response.ok && answer === null) throw new AppError('core_unreachable');
    if (response.ok) return answer?.output as AppOutput<R>;
    const failure = answer?.error ? decodeError(answer.error) : new AppError('internal');
    if (failure.code === 'not_signed_in') signOut();
    throw failure;
  }

  async function listen(): Promise<void> {
    let attempt = 0;
    while (connection.now().kind !== 'signed-out') {
      const secret = sessionSecret();
      if (secret === null) return signOut();
      const opened = (): void => {
        attempt = 0;
        connection.become({ kind: 'connected' });
      };
      try {
        await readEventStream({
          secret,
          onOpen: opened,
          onEvent: (event) => events.forEach((hear) => hear(event)),
        });
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_signed_in') return signOut();
      }
      connection.become({ kind: 'lost', sinceMs: Date.now() });
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
    call,
    subscribe(listener) {
      events.add(listener);
      return () => events.delete(listener);
    },
    connection: connection.now,
    onConnection: connection.watch,
    start: () => (started ??= begin()),
  };
}

/** Longer than two of the host's blank lines, which come every 15 s. */
const silenceMs = 40_000;

export interface EventStreamOptions {
  secret: string;
  onOpen: () => void;
  onEvent: (event: AppEvent) => void;
}

/**
 * Reads the host's events, one JSON object per line, until the stream ends or falls silent.
 * Fails with `not_signed_in` when the host refuses the secret; resolves or fails otherwise when the stream is gone.
 */
async function readEventStream({ secret, onOpen, onEvent }: EventStreamOptions): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch('/events', {
      headers: { [secretHeader]: secret },
      signal: silence.signal,
      redirect: 'error',
      cache: 'no-store',
    });
    if (response.status === 401) throw new AppError('not_signed_in');
    if (!response.ok || !response.body) throw new AppError('core_unreachable');
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') onEvent(JSON.parse(line) as AppEvent);
    }
  } finally {
    clearTimeout(timer);
  }
}
