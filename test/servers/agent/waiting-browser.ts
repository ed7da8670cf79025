/** A browser that does nothing but wait on a page until it is sent somewhere: cookies, redirects, and looking again. */
export interface WaitingBrowser {
  /** The words of the page on which it waits; resolves with the first page that it is shown. */
  page: Promise<string>;
  /** Where it was sent in the end: an address of the client's own. */
  end: Promise<URL>;
}

const pauseMs = 100;

/** Opens the address, and goes on until a redirect leads to `destination`. */
export function openAndWait(address: URL, destination: string, signal: AbortSignal): WaitingBrowser {
  const page = Promise.withResolvers<string>();
  const jar = new Map<string, string>();

  async function visit(url: URL): Promise<URL> {
    for (let next = url; ;) {
      signal.throwIfAborted();
      const answer = await fetch(next, { redirect: 'manual', signal, headers: { cookie: cookies(jar) } });
      keep(jar, answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      if (location !== null) {
        next = new URL(location, next);
        if (next.href.startsWith(destination)) return next;
        continue;
      }
      const text = await answer.text();
      page.resolve(text);
      if (answer.status !== 200) throw new Error(`The page answered ${answer.status}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const end = visit(address);
  end.catch((failure: unknown) => page.reject(failure));
  page.promise.catch(() => {});
  return { page: page.promise, end };
}

function cookies(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keep(jar: Map<string, string>, headers: readonly string[]): void {
  for (const header of headers) {
    const [pair = ''] = header.split(';', 1);
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(header)) jar.delete(name);
    else jar.set(name, pair.slice(at + 1));
  }
}
