import { expect, test } from 'vitest';
import { createCookieBrowser } from '#test/core/gateway/endpoint/cookie-browser.ts';
import { createTestClient } from '#test/core/oauth-server/test-client.ts';
import type { AgentMemory } from '#test/servers/agent/agent.ts';
import { admitAgent } from '../driver/agents.ts';
import type { AppDriver } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
import {
  nothingLearned,
  strangePage,
  strangePort,
  throughFrame,
  tryEverything,
  type Attempt,
} from '../driver/browser/strange-page.ts';

// A name that its owner points at this machine, as in DNS rebinding.
const { startSession, browser } = prepareBrowserSessions({
  switches: ['--host-resolver-rules=MAP evil.example 127.0.0.1'],
});

/** The outcome of an answer that the page cannot read, or of a refused request. */
const nothingOrRefused = expect.stringMatching(/^(nothing|refused)$/) as string;

test('foreign pages on another port or a rebound name cannot read, change or frame anything, and the app’s page cannot reach the confirmation', async () => {
  const { app, context, host, second } = await startSession();
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const before = await second.read(cid);
  const id = await app.propose(cid, { field: 'name', from: String(before['name']), to: 'Changed' });
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

  const elsewhere = await strangePage(await browser(), `http://127.0.0.1:${await strangePort()}/`);
  for (const attempt of attempts) {
    const learned = await elsewhere.evaluate(tryEverything, attempt);
    expect({ ...attempt, ...learned }).toMatchObject({ ...nothingLearned, opaque: nothingOrRefused });
    expect(await throughFrame(elsewhere, attempt)).not.toMatch(/id="root"|"success"|"output"|"secret":/);
  }

  // The rebound name has the same origin as the server, so the server can only tell them apart by the Host header.
  const page = await strangePage(await browser(), 'about:blank');
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

  const learned = await tryFromOwnPage(app, address);
  expect(learned.slice(0, 3)).toEqual(['refused', 'refused', 'refused']);
  for (const answer of learned.slice(3)) expect(answer).toMatch(/"code":"(not_found|method_not_allowed)"/);

  expect(seen()).toEqual(seenBefore);
  expect(await second.read(cid)).toEqual(before);
  expect(await app.ask('proposals.get', { id })).toMatchObject({ state: 'proposed' });
  expect(await rows()).toBe(rowsBefore);

  // The ticket that a stranger tried is still valid for its own window.
  const window = await context.newPage();
  await window.goto(address);
  await window.getByRole('button', { name: /^Approve/ }).waitFor();
});

test('a foreign page can do nothing at the address for agents, even with an agent’s client id and tokens', async () => {
  const { app } = await startSession({ demoCampaigns: 24 });
  const address = await app.agentAddress();
  const { origin } = new URL(address);
  const memory: AgentMemory = {};
  await (await admitAgent(app, { name: 'Real agent', memory })).leave();
  const { access_token: token = '', refresh_token: refresh = '' } = memory.tokens ?? {};
  const client = createTestClient(origin);
  const clientId = await client.registered({ client_name: 'Waits' });
  const cookieBrowser = createCookieBrowser(origin);
  const waitsAt = (await cookieBrowser.page(client.authorizeUrl(clientId))).url.href;
  const [waiting] = await app.waiting(1);

  const authorize = client.authorizeUrl(await client.registered({ client_name: 'Requests access' }));
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const bearer = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
  const form = (values: Record<string, string>): string => new URLSearchParams(values).toString();
  const own = { client_id: memory.client?.client_id ?? '' };
  const attempts: Attempt[] = [
    { url: address, method: 'GET', headers: bearer },
    { url: address, method: 'POST', body: JSON.stringify({ ...message, params }), headers: bearer },
    { url: address, method: 'DELETE', headers: bearer },
    { url: `${origin}/register`, method: 'POST', body: '{"redirect_uris":["https://evil.example/"]}' },
    { url: authorize, method: 'GET' },
    { url: `${origin}/authorize`, method: 'POST', body: authorize.split('?')[1] ?? '', isForm: true },
    { url: waitsAt, method: 'GET' },
    { url: waitsAt, method: 'POST', body: 'answer=allow', isForm: true },
    {
      url: `${origin}/token`,
      method: 'POST',
      body: form({ ...own, grant_type: 'refresh_token', refresh_token: refresh }),
      isForm: true,
    },
    { url: `${origin}/revoke`, method: 'POST', body: form({ ...own, token: refresh }), isForm: true },
  ];

  const state = async (): Promise<unknown> => [
    await app.ask('agents.get', {}),
    await app.waiting(1),
    ((await app.ask('ledger.report', {})) as { rows?: number }).rows,
  ];
  const before = await state();
  const port = await strangePort();
  for (const host of ['127.0.0.1', 'evil.example']) {
    const elsewhere = await strangePage(await browser(), `http://${host}:${port}/`);
    const tries = attempts.map(async (attempt) => {
      const learned = await elsewhere.evaluate(tryEverything, attempt);
      return { host, ...attempt, ...learned, framed: await throughFrame(elsewhere, attempt) };
    });
    for (const learned of await Promise.all(tries)) {
      expect(learned).toMatchObject({
        ...nothingLearned,
        opaque: nothingOrRefused,
        opaqueWithCookies: nothingOrRefused,
      });
      expect(learned.framed).not.toMatch(/Compare these|"client_id"|_token"|"result"/);
    }
    expect(await state()).toEqual(before);
  }

  // A page on a rebound name can read the answers, so the server can only tell it apart by the Host header.
  const page = await strangePage(await browser(), `http://evil.example:${new URL(origin).port}/`);
  const tries = attempts.map(async (attempt) => {
    const url = attempt.url.replace('127.0.0.1', 'evil.example');
    return page.evaluate(tryEverything, { ...attempt, url });
  });
  for (const learned of await Promise.all(tries)) {
    for (const way of ['cors', 'json', 'credentials', 'old'] as const) {
      expect(learned[way]).toMatch(/^refused$|"code":"host_not_allowed"/);
    }
    expect(learned).toMatchObject({
      image: 'refused',
      script: 'refused',
      events: 'refused',
      socket: 'refused',
    });
  }
  expect(await state()).toEqual(before);

  // The proposal is still undecided, and the agent's tokens are still valid.
  expect(await app.ask('proposals.get', { id: waiting })).toMatchObject({ state: 'proposed' });
  expect((await cookieBrowser.reload()).kind).toBe('page');
  expect((await client.refresh(own.client_id, refresh)).status).toBe(200);
});

/** Tries to reach the confirmation from the app's own page with the page's secret. */
async function tryFromOwnPage({ page }: AppDriver, address: string): Promise<string[]> {
  const { origin, hash } = new URL(address);
  return page.evaluate(
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
    { origin, ticket: hash.slice('#ticket='.length) },
  );
}
