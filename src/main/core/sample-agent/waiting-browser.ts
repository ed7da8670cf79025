import type { Clock } from '#core/platform/clock.ts';

interface Visit {
  address: URL;
  destination: string;
  clock: Clock;
  signal: AbortSignal;
  /** The user decides elsewhere. With a promise, the browser loads the page again when it resolves, and fails as it does. */
  onWaiting(page: string): void | Promise<void>;
}

const answerWithinMs = 30_000;
const defaultPauseMs = 1_000;
const maxPauseMs = 10_000;
const maxRedirects = 20;

/**
 * Follows cookies, redirects and refreshing pages until the destination, and returns that address. Never leaves the origin. Fails
 * if a page ends the wait, and with the signal's reason.
 */
export async function waitForRedirect({
  address,
  destination,
  clock,
  signal,
  onWaiting,
}: Visit): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = address;
  for (let redirects = 0; redirects <= maxRedirects;) {
    const headers = { accept: 'text/html', cookie: cookieHeader(cookies) };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    const answer = await fetch(next, { redirect: 'manual', signal: deadline, headers });
    keepCookies(cookies, answer.headers.getSetCookie());
    const page = await answer.text();
    const location = answer.headers.get('location');
    if (location === null) {
      const refresh = refreshOf(answer, page);
      if (refresh === null) throw new Error(`The page of the sign-in ended with ${answer.status}`);
      await (onWaiting(page) ?? pause(refresh.afterMs, { clock, signal }));
      next = within(address, refresh.to === null ? next : new URL(refresh.to, next));
      redirects = 0;
      continue;
    }
    const target = new URL(location, next);
    if (isDestination(target, destination)) return target;
    next = within(address, target);
    redirects += 1;
  }
  throw new Error('The sign-in redirects without an end');
}

/** Returns the two words on the gateway's page, which people compare with the confirmation; null if the page shows none. */
export function wordsOn(page: string): string | null {
  return /<div class="words">([a-z -]+)<\/div>/i.exec(page)?.[1] ?? null;
}

function isDestination(target: URL, destination: string): boolean {
  return `${target.origin}${target.pathname}` === destination;
}

function within({ origin }: URL, target: URL): URL {
  if (target.origin !== origin) throw new Error('The sign-in leads to another origin');
  return target;
}

/** Reads the refresh from the header or the markup (HTML Standard, `http-equiv=refresh`). */
function refreshOf({ headers }: Response, page: string): { afterMs: number; to: string | null } | null {
  const written = /<meta[^>]+http-equiv="?refresh"?[^>]+content="([^"]*)"/i.exec(page)?.[1];
  const found = /^\s*(\d+)(?:\s*[;,]\s*(?:url\s*=\s*)?(\S+))?/i.exec(headers.get('refresh') ?? written ?? '');
  if (found === null) return null;
  const [, seconds = '', to = null] = found;
  const afterMs = seconds === '' ? defaultPauseMs : Number(seconds) * 1_000;
  return { afterMs: Math.min(afterMs, maxPauseMs), to: to?.replaceAll('&amp;', '&') ?? null };
}

function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keepCookies(cookies: Map<string, string>, headers: readonly string[]): void {
  for (const header of headers) {
    const [pair = ''] = header.split(';', 1);
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const isOver = /;\s*max-age=0\b|;\s*expires=thu, 01 jan 1970/i.test(header);
    if (isOver) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** Fails with the signal's reason. */
export function pause(ms: number, { clock, signal }: { clock: Clock; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      cancel();
      reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
