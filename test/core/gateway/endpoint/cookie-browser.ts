/** The content of a browser: a page, or the address of another origin after a redirect. */
export type Sight =
  { kind: 'page'; status: number; text: string; headers: Headers; url: URL } | { kind: 'sent'; to: URL };

/** A browser with cookies. It follows redirects within one origin. */
export interface CookieBrowser {
  open(address: string): Promise<Sight>;
  /** Loads the page again, as the page does by itself. */
  reload(): Promise<Sight>;
  /** The current page. Fails if the browser was redirected to another origin. */
  page(address: string): Promise<Extract<Sight, { kind: 'page' }>>;
  /** Reloads the page until it redirects to another origin. */
  untilSent(): Promise<URLSearchParams>;
}

export function createCookieBrowser(origin: string): CookieBrowser {
  const jar = new Map<string, string>();
  let at = new URL(origin);

  async function open(address: string): Promise<Sight> {
    at = new URL(address, origin);
    for (let step = 0; step < 8; step += 1) {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
      for (const set of answer.headers.getSetCookie()) {
        const [pair = ''] = set.split(';', 1);
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = answer.headers.get('location');
      if (location === null) {
        const { status, headers } = answer;
        return { kind: 'page', status, text: await answer.text(), headers, url: at };
      }
      const next = new URL(location, at);
      if (next.origin !== origin) return { kind: 'sent', to: next };
      at = next;
    }
    throw new Error('The redirects did not end');
  }

  const reload = (): Promise<Sight> => open(at.href);
  return {
    open,
    reload,
    async page(address) {
      const sight = await open(address);
      if (sight.kind === 'page') return sight;
      throw new Error(`Sent to ${sight.to.href}`);
    },
    async untilSent() {
      for (let look = 0; look < 5; look += 1) {
        const sight = await reload();
        if (sight.kind === 'sent') return sight.to.searchParams;
      }
      throw new Error('The browser was not sent anywhere');
    },
  };
}
