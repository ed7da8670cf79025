import type { IncomingMessage } from 'node:http';

/** Which of the library's cookies take part: those of one sign-in. A lasting browser session is not kept. */
export interface CookieFilter {
  /** What of the browser's cookies the library gets to see. */
  incoming(request: IncomingMessage): string | undefined;
  /** What of the library's cookies the browser gets. */
  outgoing(cookies: readonly string[]): string[];
  /** The value of one cookie, whose signature nobody has checked yet. */
  valueOf(request: IncomingMessage, name: string): string | null;
}

/** Lets through the named cookies with their signatures. */
export function createCookieFilter(names: readonly string[]): CookieFilter {
  const isOurs = (cookie: string): boolean => {
    const name = nameOf(cookie);
    return names.some((ours) => name === ours || name === `${ours}.sig`);
  };
  const sent = (request: IncomingMessage) => (request.headers.cookie ?? '').split('; ').filter(isOurs);
  return {
    incoming(request) {
      const cookies = sent(request);
      return cookies.length === 0 ? undefined : cookies.join('; ');
    },
    outgoing: (cookies) => cookies.filter(isOurs),
    valueOf: (request, name) =>
      sent(request)
        .find((cookie) => nameOf(cookie) === name)
        ?.slice(name.length + 1) ?? null,
  };
}

function nameOf(cookie: string): string {
  return cookie.slice(0, Math.max(0, cookie.indexOf('=')));
}
