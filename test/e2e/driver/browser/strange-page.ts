import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { onTestFinished } from 'vitest';

/** Serves a page of another program on this machine: an empty document without any policy. Ends with the test. */
export async function strangePort(): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens an address in a browser profile that has never opened Countersign. */
export async function strangePage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** A request that a page tries. */
export interface Attempt {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The body: JSON, or a form's content if `isForm`. */
  body?: string;
  isForm?: boolean;
  /** Headers that a page can only send after a CORS preflight. */
  headers?: Record<string, string>;
}

/** Tries every kind of request that a page can send to an address, and returns what the page can read. Runs in the page. */
export async function tryEverything({
  url,
  method,
  body,
  isForm,
  headers,
}: Attempt): Promise<Record<string, string>> {
  const loads = (element: HTMLImageElement | HTMLScriptElement): Promise<string> =>
    new Promise((resolve) => {
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', () => resolve('refused'));
      element.src = url;
      document.body.append(element);
    });
  const content = isForm === true ? new URLSearchParams(body) : body;
  const request = { method, ...(content === undefined ? {} : { body: content }) };
  const read = async (init: RequestInit): Promise<string> =>
    (await (await fetch(url, init)).text()) || 'nothing';
  const refused = (): string => 'refused';
  const simple = method === 'GET' ? method : 'POST';
  const type = isForm === true ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    cors: await read({ ...request, mode: 'cors' }).catch(refused),
    json: await read({
      ...request,
      headers: { 'content-type': type, 'x-countersign-secret': 'x', ...headers },
    }).catch(refused),
    credentials: await read({ ...request, credentials: 'include' }).catch(refused),
    opaque: await read({ ...request, method: simple, mode: 'no-cors' }).catch(refused),
    opaqueWithCookies: await read({
      ...request,
      method: simple,
      mode: 'no-cors',
      credentials: 'include',
    }).catch(refused),
    old: await new Promise<string>((resolve) => {
      const asked = new XMLHttpRequest();
      asked.addEventListener('load', () => resolve(asked.responseText || 'nothing'));
      asked.addEventListener('error', () => resolve('refused'));
      asked.open(method, url);
      asked.withCredentials = true;
      asked.send(content ?? null);
    }),
    beacon: String(navigator.sendBeacon(url, content ?? '{}')),
    image: await loads(new Image()),
    script: await loads(document.createElement('script')),
    events: await new Promise<string>((resolve) => {
      const events = new EventSource(url, { withCredentials: true });
      events.addEventListener('open', () => resolve('open'));
      events.addEventListener('error', () => {
        events.close();
        resolve('refused');
      });
    }),
    socket: await new Promise<string>((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'));
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('error', () => resolve('refused'));
    }),
  };
}

/** Matches the result of {@link tryEverything} if the page could read nothing. */
export const nothingLearned = {
  cors: 'refused',
  json: 'refused',
  credentials: 'refused',
  old: 'refused',
  image: 'refused',
  script: 'refused',
  events: 'refused',
  socket: 'refused',
} as const;

/** Submits a form to an address in a frame, and returns the text of the frame. */
export async function throughFrame(page: Page, { url, body, isForm = false }: Attempt): Promise<string> {
  const name = `frame-${Math.random().toString(36).slice(2)}`;
  await page.evaluate(
    async ({ url, body, isForm, name }) => {
      const frame = document.createElement('iframe');
      frame.name = name;
      document.body.append(frame);
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      if (body === undefined) frame.src = url;
      else {
        const form = document.createElement('form');
        Object.assign(form, { action: url, method: 'post', target: name });
        if (!isForm) form.enctype = 'text/plain';
        const fields = isForm ? [...new URLSearchParams(body)] : [[body.slice(0, -1), '"}']];
        for (const [field, value] of fields) {
          const input = document.createElement('input');
          Object.assign(input, { name: field, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      }
      await loaded;
    },
    { url, body, isForm, name },
  );
  return (
    (await page
      .frame({ name })
      ?.content()
      .catch(() => '')) ?? ''
  );
}
