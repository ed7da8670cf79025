import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '#core/platform/logger.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { redirectUri } from '#test/core/oauth-server/test-client.ts';
import { has } from '#test/servers/abilities.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';
import { allScopes, initialize, openEndpointWorld } from '../endpoint/endpoint-world.ts';
import { createCookieBrowser } from '../endpoint/cookie-browser.ts';

test('a revoked agent loses its session, token and refresh at once, and the ledger names the person', async () => {
  const { enter, url, world, client } = await openEndpointWorld();
  const { tokens, clientId } = await enter({ client_name: 'Codex' });
  const { handlers } = world.core;
  const session = (await initialize(url, tokens.access_token)).headers.get('mcp-session-id') ?? '';
  const stream = await fetch(url, {
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
    },
  });
  expect(stream.status).toBe(200);
  const [agent] = (await handlers['agents.get']({})).agents;

  await handlers['agents.revoke']({ id: agent?.id ?? '' });

  await stream.text();
  expect((await initialize(url, tokens.access_token)).status).toBe(401);
  expect((await client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
  expect((await handlers['agents.get']({})).agents).toMatchObject([
    { connected: false, ended: { because: 'revoked' } },
  ]);
  const { items } = await handlers['ledger.list']({ beforeSeq: null, limit: 9, filter: everyRow });
  expect(items.find(({ kind }) => kind === 'agent.ended')).toMatchObject({
    actor: 'You',
    summary: 'Access ended: “Codex”, because you revoked it',
  });
  await expect(handlers['agents.revoke']({ id: 'nobody' })).rejects.toMatchObject({ code: 'agent_unknown' });
});

test('no admission is shown while agents are frozen, and afterwards the browser continues without a click', async () => {
  const { requestAccess, waiting, world, answer } = await openEndpointWorld();
  await world.core.handlers['agents.freeze']({});
  const { page, browser } = await requestAccess({ client_name: 'Early' });
  expect(page.text).toContain('All agents are frozen');
  expect(await waiting()).toEqual([]);
  await world.core.handlers['agents.thaw']({});
  expect(await browser.reload()).toMatchObject({ text: expect.stringContaining('“Early”') });
  await answer('allow');
  expect((await browser.untilSent()).get('code')).not.toBeNull();
});

test.runIf(has.modes)(
  'no admission is shown while the administrator’s policy cannot be used, and the user cannot override that',
  async () => {
    const policyPlace = openPolicyPlace();
    policyPlace.write({ agents: 'no' });
    const { requestAccess, waiting, world } = await openEndpointWorld({ policyPlace });
    await world.core.handlers['agents.thaw']({});
    const { page, browser } = await requestAccess({ client_name: 'Early' });
    expect(page.text).toContain('All agents are stopped');
    expect(await waiting()).toEqual([]);
    policyPlace.remove();
    expect(await browser.reload()).toMatchObject({ text: expect.stringContaining('“Early”') });
  },
);

test('a client with a redirect address on another host, with its own scheme or with a wildcard is refused', async () => {
  const { client } = await openEndpointWorld({ campaigns: 1 });
  for (const uri of ['http://evil.example/cb', 'agent://callback', 'http://127.0.0.1:*/callback']) {
    expect((await client.register({ redirect_uris: [uri] })).status, uri).toBe(400);
  }
});

test('the waiting page has no subpages', async () => {
  const { requestAccess } = await openEndpointWorld({ campaigns: 1 });
  const { page, browser } = await requestAccess();
  expect(await browser.page(`${page.url.pathname}/below`)).toMatchObject({ status: 404 });
  expect(await browser.page(page.url.pathname)).toMatchObject({ status: 200 });
});

test('a client that requests no scope may only read, and the question says so', async () => {
  const { client, waiting } = await openEndpointWorld();
  const clientId = await client.registered({ client_name: 'Reader' });
  await createCookieBrowser(new URL(client.authorizeUrl(clientId)).origin).page(
    client.authorizeUrl(clientId),
  );
  expect(await waiting()).toMatchObject([
    {
      title: 'Let “Reader” look at Northwind Media (Demo)',
      detail: { scopes: [{ name: 'svc:read' }] },
    },
  ]);
});

test('each credential is valid at its own endpoint only', async () => {
  const { enter, url, world } = await openEndpointWorld();
  const { tokens } = await enter();
  const agent = tokens.access_token;
  const { memberToken, accounts } = world.service.issueDemoCredentials();
  const [publisherKey] = accounts.publisher.publisherKeys;
  const remote = await world.service.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  const serviceUrl = new URL(world.core.info.serviceUrl).origin;

  const atGateway = [
    memberToken,
    publisherKey?.key,
    remote.accessToken,
    remote.refreshToken,
    tokens.refresh_token,
  ];
  for (const token of atGateway) expect((await initialize(url, token ?? '')).status).toBe(401);
  expect((await initialize(`${serviceUrl}/mcp`, agent)).status).toBe(401);
  const campaigns = `${world.core.info.serviceUrl}/login/campaigns/list`;
  const rest = await fetch(campaigns, { headers: { authorization: `Bearer ${agent}` } });
  expect(rest.status).toBe(401);
  // Only the header matters.
  expect((await initialize(`${url}?access_token=${agent}`, null)).status).toBe(401);
  expect((await initialize(url, agent)).status).toBe(200);
});

test('an agent belongs to the profile that was active when it requested access, and ends with that profile', async () => {
  const { requestAccess, answer, world, waiting, url } = await openEndpointWorld({ host: 'desktop' });
  const { handlers } = world.core;
  const elsewhere = 'http://127.0.0.1:9';
  const live = await handlers['profiles.add']({
    name: 'Acme',
    zone: 'UTC',
    baseUrl: `${elsewhere}/api/v1`,
    apiUrl: elsewhere,
    mcpUrl: elsewhere,
    remoteAccess: 'oauth',
  });
  await handlers['profiles.switch']({ id: live.id });
  const { browser, redeem } = await requestAccess({ client_name: 'Cursor' });
  await handlers['profiles.switch']({ id: 'demo' });
  expect(await waiting()).toMatchObject([
    { title: 'Let “Cursor” propose changes to Acme (LIVE)', profile: { id: live.id } },
  ]);
  await expect(handlers['profiles.remove']({ id: live.id })).rejects.toMatchObject({ code: 'profile_busy' });
  await answer('allow');
  const answered = await redeem((await browser.untilSent()).get('code') ?? '');
  const { access_token: token } = (await answered.json()) as { access_token: string };
  expect((await handlers['agents.get']({})).agents).toMatchObject([{ profile: { id: live.id } }]);

  await handlers['profiles.remove']({ id: live.id });

  expect((await initialize(url, token)).status).toBe(401);
  expect((await handlers['agents.get']({})).agents).toMatchObject([
    { profile: null, ended: { because: 'profile-removed' } },
  ]);
});

test('a request without a token learns only where to get one', async () => {
  const { url, origin, client } = await openEndpointWorld();
  const answer = await initialize(url, null);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
  );
  const metadata = (await (
    await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)
  ).json()) as object;
  expect(metadata).toMatchObject({ resource: url, scopes_supported: allScopes.split(' ') });
  expect(await (await fetch(origin)).text()).toBe(`This is Countersign. Agents connect at ${url}\n`);
  expect((await fetch(`${origin}/health`)).status).toBe(404);
  expect((await client.register()).status).toBe(201);
});

test('no token, code or address of an admission is stored on disk, in the ledger, in pages or in the log', async () => {
  const written = new PassThrough();
  const lines: string[] = [];
  written.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const logger = createLogger({ to: written, level: 'info' });
  const { requestAccess, answer, url, world, origin } = await openEndpointWorld({ logger });
  const { page, browser, redeem } = await requestAccess();
  const interaction = page.url.pathname.split('/').at(-1) ?? '';
  await answer('allow');
  const code = (await browser.untilSent()).get('code') ?? '';
  const tokens = (await (await redeem(code)).json()) as { access_token: string; refresh_token: string };
  await initialize(url, tokens.access_token);
  await fetch(`${origin}/token?code=${code}`, { method: 'POST' });

  const { handlers } = world.core;
  const seen = await Promise.all([
    handlers['agents.get']({}),
    handlers['ledger.list']({ beforeSeq: null, limit: 200, filter: everyRow }),
    handlers['proposals.list']({ which: 'past', before: null, limit: 50 }),
  ]);
  await world.core.dispose();
  const files = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name), 'latin1'));
  const everywhere = [...files, ...lines, JSON.stringify(seen), page.text].join('\n');
  expect(everywhere).toContain(redirectUri.slice(0, 12));
  for (const secret of [interaction, code, tokens.access_token, tokens.refresh_token]) {
    expect(secret.length).toBeGreaterThan(15);
    expect(everywhere.includes(secret)).toBe(false);
  }
});
