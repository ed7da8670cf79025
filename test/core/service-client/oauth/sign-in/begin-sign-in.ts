import { onTestFinished } from 'vitest';
import {
  createMemoryGrants,
  signIn,
  type Grant,
  type GrantStore,
  type SignInProgress,
} from '#core/service-client/index.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import { silentLogger, type Logger } from '#core/platform/logger.ts';

/** An unfinished sign-in. The test replaces the browser. */
export interface BegunSignIn {
  /** Settles when the sign-in ends. */
  ended: Promise<Grant>;
  /** Resolves with the next address that the browser should open. */
  address(): Promise<string>;
  opened: string[];
  progress: SignInProgress[];
  store: GrantStore;
  cancel(): void;
}

export interface BeginOptions {
  store?: GrantStore;
  scopes?: readonly string[];
  clock?: Clock;
  logger?: Logger;
  timeoutMs?: number;
  requestTimeoutMs?: number;
  open?(address: string): Promise<boolean>;
  identify?(accessToken: string): Promise<string | null>;
}

/** Begins a sign-in, which is cancelled when the test ends. */
export function beginSignIn(mcpUrl: string, options: BeginOptions = {}): BegunSignIn {
  const store = options.store ?? createMemoryGrants();
  const canceller = new AbortController();
  const opened: string[] = [];
  const progress: SignInProgress[] = [];
  const waiting: ((address: string) => void)[] = [];
  const unread: string[] = [];
  const ended = signIn({
    mcpUrl,
    store,
    scopes: options.scopes ?? [],
    async open(address) {
      opened.push(address);
      const next = waiting.shift();
      if (next === undefined) unread.push(address);
      else next(address);
      return options.open === undefined ? true : options.open(address);
    },
    ...(options.identify && { identify: options.identify }),
    onProgress: (step) => void progress.push(step),
    signal: canceller.signal,
    timeoutMs: options.timeoutMs ?? 60_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 20_000,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silentLogger,
  });
  ended.catch(() => {});
  onTestFinished(async () => {
    canceller.abort();
    await ended.catch(() => {});
  });
  return {
    ended,
    opened,
    progress,
    store,
    cancel: () => canceller.abort(),
    address() {
      const next = unread.shift();
      if (next !== undefined) return Promise.resolve(next);
      const failed = ended.then(
        () => Promise.reject(new Error('The sign-in ended before an address came')),
        (failure: unknown) => Promise.reject(failure as Error),
      );
      return Promise.race([new Promise<string>((resolve) => waiting.push(resolve)), failed]);
    },
  };
}

/**
 * Returns the callback URL to which the authorization server redirects, with a code and the state; null removes a parameter.
 */
export function callbackOf(address: string, changes: Record<string, string | null> = {}): string {
  const asked = new URL(address).searchParams;
  const callback = new URL(asked.get('redirect_uri') ?? '');
  const parameters = { code: 'code-secret', state: asked.get('state'), ...changes };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) callback.searchParams.set(name, value);
  }
  return callback.href;
}

/** The page in the browser after the callback. */
export interface SeenPage {
  status: number;
  title: string;
  html: string;
  headers: Headers;
}

export async function visit(url: string): Promise<SeenPage> {
  const { status, headers, ...answer } = await read(url);
  return { status, headers, html: answer.text, title: /<h1>(.*?)<\/h1>/.exec(answer.text)?.[1] ?? '' };
}

async function read(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await fetch(url, { redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
