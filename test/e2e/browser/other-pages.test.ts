import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';

// A name whose owner points it at this machine, as DNS rebinding does.
const { startSession, browser } = prepareBrowserSessions([
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
]);

/** A page of somebody else on this machine: an empty document without any policy. Ends with the test. */
async function strangePort(): Promise<number> {
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

/** A page at an address in a browser profile that has never seen Countersign. */
async function strangePage(address: string): Promise<Page> {
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

interface Attempt {
  url: string;
  method: 'GET' | 'POST' | 'PUT';
  body?: string;
}

/** What a page learns when it tries everything a page can on an address. Runs in the page. */
async function tryEverything({ url, method, body }: Attempt): Promise<Record<string, string>> {
  const within = <T>(promise: Promise<T>): Promise<T | 'silence'> =>
    Promise.race([promise, new Promise<'silence'>((resolve) => setTimeout(resolve, 3000, 'silence'))]);
  const loads = (element: HTMLImageElement | HTMLScriptElement): Promise<string> =>
    within(
      new Promise<string>((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('refused'));
        element.src = url;
        document.body.append(element);
      }),
    );
  const request = { method, ...(body === undefined ? {} : { body }) };
  const read = async (init: RequestInit): Promise<string> =>
    (await (await fetch(url, init)).text()) || 'nothing';
  const refused = (): string => 'refused';
  return {
    cors: await within(read({ ...request, mode: 'cors' }).catch(refused)),
    json: await within(
      read({
        ...request,
        headers: { 'content-type': 'application/json', 'x-countersign-secret': 'x' },
      }).catch(refused),
    ),
    credentials: await within(read({ ...request, credentials: 'include' }).catch(refused)),
    opaque: await within(
      read({ ...request, method: method === 'PUT' ? 'POST' : method, mode: 'no-cors' }).catch(refused),
    ),
    beacon: String(navigator.sendBeacon(url, body ?? '{}')),
    image: await loads(new Image()),
    script: await loads(document.createElement('script')),
    socket: await within(
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url.replace('http', 'ws'));
        socket.addEventListener('open', () => resolve('open'));
        socket.addEventListener('error', () => resolve('refused'));
      }),
    ),
  };
}

/** Sends a form to an address in a frame and gives what the frame shows. */
async function throughFrame(page: Page, { url, body }: Attempt): Promise<string> {
  const name = `frame-${Math.random().toString(36).slice(2)}`;
  await page.evaluate(
    async ({ url, body, name }) => {
      const frame = document.createElement('iframe');
      frame.name = name;
      document.body.append(frame);
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      if (body === undefined) frame.src = url;
      else {
        const form = document.createElement('form');
        Object.assign(form, { action: url, method: 'post', target: name, enctype: 'text/plain' });
        const input = document.createElement('input');
        Object.assign(input, { name: body.slice(0, -1), value: '"}' });
        form.append(input);
        document.body.append(form);
        form.submit();
      }
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 3000))]);
    },
    { url, body, name },
  );
  return (
    (await page
      .frame({ name })
      ?.content()
      .catch(() => '')) ?? ''
  );
}

test('a page on another port and a page on a rebound name can neither read nor change anything, nor frame the windows', async () => {
  const { app, context, host, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const { id } = (await app.propose(cid, { field: 'name', from: String(before['name']), to: 'Changed' })) as {
    id: string;
  };
  const { address } = (await app.ask('proposals.review', { id })) as { address: string };
  const [appOrigin, confirmOrigin] = [new URL(app.page.url()).origin, new URL(address).origin];
  const service = host.core.info.serviceUrl;
  const rows = async (): Promise<unknown> => ((await app.ask('ledger.report', {})) as { rows?: number }).rows;
  const seen = (): number[] => [second.count('', `/${cid}`), second.count('PUT', '')];
  const [rowsBefore, seenBefore] = [await rows(), seen()];

  const attempts: Attempt[] = [
    { url: `${appOrigin}/`, method: 'GET' },
    { url: `${appOrigin}/events`, method: 'GET' },
    { url: `${appOrigin}/session`, method: 'POST', body: '{"ticket":"x"}' },
    { url: `${appOrigin}/api/proposals.withdraw`, method: 'POST', body: JSON.stringify({ id }) },
    { url: `${confirmOrigin}/`, method: 'GET' },
    {
      url: `${confirmOrigin}/session`,
      method: 'POST',
      body: JSON.stringify({ ticket: address.split('=')[1] }),
    },
    { url: `${confirmOrigin}/confirmation/decide`, method: 'POST', body: '{"decision":"approve"}' },
    { url: `${service}/login/campaigns/${cid}`, method: 'GET' },
    { url: `${service}/login/campaigns/${cid}`, method: 'PUT', body: JSON.stringify(before) },
    { url: `${service}/login/campaigns/update-status`, method: 'PUT', body: `{"ids":[${cid}],"status":3}` },
  ];

  const elsewhere = await strangePage(`http://127.0.0.1:${await strangePort()}/`);
  for (const attempt of attempts) {
    const learned = await elsewhere.evaluate(tryEverything, attempt);
    expect({ ...attempt, ...learned }).toMatchObject({
      cors: 'refused',
      json: 'refused',
      credentials: 'refused',
      opaque: expect.stringMatching(/^(nothing|refused)$/),
      image: 'refused',
      script: 'refused',
      socket: 'refused',
    });
    expect(await throughFrame(elsewhere, attempt)).not.toMatch(/id="root"|"success"|"output"|"secret":/);
  }

  // The rebound name is same-origin with what answers there: only the Host tells them apart.
  const page = await strangePage('about:blank');
  for (const attempt of attempts) {
    const rebound = new URL(attempt.url);
    rebound.hostname = 'evil.example';
    if (!page.url().startsWith(rebound.origin)) await page.goto(rebound.origin);
    const learned = await page.evaluate(tryEverything, { ...attempt, url: rebound.href });
    for (const way of ['cors', 'json', 'credentials'] as const) {
      expect(learned[way]).toMatch(/^refused$|"code":"host_not_allowed"/);
    }
    expect(learned).toMatchObject({ image: 'refused', script: 'refused', socket: 'refused' });
  }

  expect(seen()).toEqual(seenBefore);
  expect(await second.read(cid)).toEqual(before);
  expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'proposed' });
  expect(await rows()).toBe(rowsBefore);

  // The ticket that a stranger tried is still good for the window it was made for.
  const window = await context.newPage();
  await window.goto(address);
  await window.getByRole('button', { name: /^Approve/ }).waitFor();
});

test('the app’s own page cannot reach the confirmation, not even with its secret', async () => {
  const { app, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { name } = await second.read(cid);
  const proposed = await app.propose(cid, { field: 'name', from: String(name), to: 'Changed' });
  const { id } = proposed as { id: string };
  const { address } = (await app.ask('proposals.review', { id })) as { address: string };
  const { origin, hash } = new URL(address);
  const ticket = hash.slice('#ticket='.length);

  const learned = await app.page.evaluate(
    async ({ origin, ticket }) => {
      const secret = sessionStorage.getItem('countersign.session') ?? '';
      const headers = { 'content-type': 'application/json', 'x-countersign-secret': secret };
      const post = async (path: string, mode: RequestMode): Promise<string> => {
        try {
          const init: RequestInit = { method: 'POST', mode, body: JSON.stringify({ ticket }) };
          if (mode === 'cors') init.headers = headers;
          return (await (await fetch(path, init)).text()) || 'nothing';
        } catch {
          return 'refused';
        }
      };
      return [
        await post(`${origin}/session`, 'cors'),
        await post(`${origin}/session`, 'no-cors'),
        await post(`${origin}/confirmation/decide`, 'cors'),
        await post('/confirmation/decide', 'cors'),
        await post('/api/proposals.decide', 'cors'),
      ];
    },
    { origin, ticket },
  );
  expect(learned.slice(0, 3)).toEqual(['refused', 'refused', 'refused']);
  for (const answer of learned.slice(3)) expect(answer).toMatch(/"code":"(not_found|method_not_allowed)"/);
  expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'proposed' });
  expect(second.count('PUT', '')).toBe(0);
});
