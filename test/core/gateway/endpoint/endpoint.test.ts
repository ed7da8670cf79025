import { cpSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import { createWorld } from '#test/core/proposals/world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { reopenEndpoint, initialize, openEndpointWorld } from './endpoint-world.ts';

const wordsOf = (page: string): string | undefined => /class="words">([a-z]+ [a-z]+)</.exec(page)?.[1];

test('an agent is admitted by one click in the window, and its browser receives the code', async () => {
  const { requestAccess, waiting, answer, url, world } = await openEndpointWorld();
  const { browser, page, redeem } = await requestAccess({ client_name: 'Claude Code' });
  expect(page.status).toBe(200);
  expect(page.text).toContain('“Claude Code”');

  const [proposal] = await waiting();
  expect(proposal).toMatchObject({
    operation: 'agent.admit',
    title: 'Let “Claude Code” propose changes to Northwind Media (Demo)',
    proposedBy: { kind: 'agent', name: 'Claude Code', agentId: null },
    detail: { kind: 'admission', redirectHost: '127.0.0.1', words: wordsOf(page.text) },
    warnings: [],
  });
  expect(page.text).not.toContain('Northwind');
  expect((await browser.reload()).kind).toBe('page');

  expect((await answer('allow')).state).toBe('verified');
  const sent = await browser.untilSent();
  const tokens = (await (await redeem(sent.get('code') ?? '')).json()) as { access_token: string };
  expect((await initialize(url, tokens.access_token)).status).toBe(200);

  const { agents } = await world.core.handlers['agents.get']({});
  expect(agents).toMatchObject([
    {
      name: 'Claude Code',
      connected: true,
      ended: null,
      profile: { kind: 'demo' },
      redirectHost: '127.0.0.1',
    },
  ]);
  expect((await world.core.handlers['session.status']({})).agents.connected).toBe(1);
});

test('a denied agent learns of the denial, and the reason is in the ledger', async () => {
  const { requestAccess, answer, world, url } = await openEndpointWorld();
  const { browser } = await requestAccess();
  expect((await answer('deny', 'not mine')).state).toBe('denied');
  const reported = await browser.reload();
  expect(reported).toMatchObject({ kind: 'page', text: expect.stringContaining('Access denied') });
  const sent = await browser.untilSent();
  expect(sent.get('error')).toBe('access_denied');
  expect(sent.get('code')).toBeNull();
  expect((await initialize(url, null)).status).toBe(401);
  expect((await world.core.handlers['agents.get']({})).agents).toEqual([]);
  const { items } = await world.core.handlers['ledger.list']({ beforeSeq: null, limit: 9, filter: everyRow });
  expect(items.map(({ summary }) => summary)).toContainEqual(expect.stringContaining('(“not mine”)'));
});

test('an admission that is not decided in time expires', async () => {
  const { requestAccess, world, waiting } = await openEndpointWorld();
  const { browser } = await requestAccess();
  world.clock.advance(11 * 60_000);
  expect(await waiting()).toEqual([]);
  expect(await browser.reload()).toMatchObject({
    text: expect.stringContaining('Request expired'),
  });
  expect((await browser.untilSent()).get('error')).toBe('access_denied');
});

test('a client that requests access again waits once, and its first browser is informed', async () => {
  const { requestAccess, waiting } = await openEndpointWorld();
  const first = await requestAccess();
  const second = await requestAccess({}, first.clientId);
  expect((await waiting()).map(({ detail }) => detail)).toMatchObject([{ words: wordsOf(second.page.text) }]);
  expect(await first.browser.reload()).toMatchObject({
    text: expect.stringContaining('Access not granted'),
  });
});

test('five admissions can wait at once, and others are shown when there is room', async () => {
  const { requestAccess, answer, waiting } = await openEndpointWorld();
  for (let count = 0; count < 5; count += 1) await requestAccess();
  const sixth = await requestAccess({ client_name: 'The sixth' });
  expect(sixth.page.text).toContain('Too many access requests');
  expect(await waiting()).toHaveLength(5);
  await answer('deny');
  expect(await sixth.browser.reload()).toMatchObject({ text: expect.stringContaining('The sixth') });
  expect(await waiting()).toHaveLength(5);
});

test('a pending client is not admitted once agents are frozen, whatever is pressed', async () => {
  const { requestAccess, answer, world } = await openEndpointWorld();
  const { browser } = await requestAccess();
  await world.core.handlers['agents.freeze']({});
  expect(await answer('allow')).toMatchObject({ state: 'withdrawn', outcome: { code: 'agents_frozen' } });
  expect(await browser.reload()).toMatchObject({
    text: expect.stringContaining('Access not granted') as string,
  });
  expect((await world.core.handlers['agents.get']({})).agents).toEqual([]);
});

test('a client that keeps requesting access is shown only a limited number of times', async () => {
  const { requestAccess, world } = await openEndpointWorld();
  const { clientId } = await requestAccess();
  for (let count = 0; count < 14; count += 1) await requestAccess({}, clientId);
  const { items } = await world.core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 200,
    filter: everyRow,
  });
  expect(items.filter(({ kind }) => kind === 'proposal.proposed')).toHaveLength(12);
});

test('a restart keeps the address and the agent, and a pending client has to request access again', async () => {
  const endpointWorld = await openEndpointWorld();
  const { tokens, clientId } = await endpointWorld.enter();
  const late = await endpointWorld.requestAccess();
  const next = await reopenEndpoint(await endpointWorld.world.restart());
  expect(next.url).toBe(endpointWorld.url);
  expect((await initialize(next.url, tokens.access_token)).status).toBe(200);
  expect((await next.client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(200);
  expect(await next.waiting()).toEqual([]);
  expect(await late.browser.reload()).toMatchObject({ kind: 'page', status: 400 });
});

test('after a crash no admission is shown for the interrupted browser', async () => {
  const endpointWorld = await openEndpointWorld();
  await endpointWorld.requestAccess();
  // A crash leaves the session like this: no side was told of its end.
  const folder = tempFolder();
  cpSync(endpointWorld.world.folder, folder, { recursive: true });
  const { dataKey, clock } = endpointWorld.world;
  const { core } = await createWorld({ folder, dataKey, clock });
  const left = await core.handlers['proposals.list']({ which: 'past', before: null, limit: 9 });
  expect(left.items).toMatchObject([
    { operation: 'agent.admit', state: 'withdrawn', outcome: { code: 'admission_taken_back' } },
  ]);
});

test('an agent that is revoked while the endpoint is closed has no access when the endpoint opens again at its port', async () => {
  const endpointWorld = await openEndpointWorld();
  const { tokens, clientId } = await endpointWorld.enter();
  await endpointWorld.world.core.dispose();
  const squatter = createServer();
  await new Promise<void>((resolve) => {
    squatter.listen(Number(new URL(endpointWorld.url).port), '127.0.0.1', resolve);
  });
  const world = await endpointWorld.world.restart();
  const [agent] = (await world.core.handlers['agents.get']({})).agents;
  await world.core.handlers['agents.revoke']({ id: agent?.id ?? '' });
  await new Promise((resolve) => squatter.close(resolve));
  const next = await reopenEndpoint(world);
  expect(next.url).toBe(endpointWorld.url);
  expect((await initialize(next.url, tokens.access_token)).status).toBe(401);
  expect((await next.client.refresh(clientId, tokens.refresh_token ?? '')).status).toBe(400);
});

test('an agent that was admitted while the app quit, and did not fetch its grant, is no longer admitted', async () => {
  const endpointWorld = await openEndpointWorld();
  await endpointWorld.requestAccess();
  await endpointWorld.answer('allow');
  const { core } = await endpointWorld.world.restart();
  await core.handlers['agents.openEndpoint']({ onAnotherPort: false });
  const { agents } = await core.handlers['agents.get']({});
  expect(agents.map(({ ended }) => ended?.because)).toEqual(['signed-out']);
});

test('an occupied port is reported with a remedy and never replaced silently', async () => {
  const endpointWorld = await openEndpointWorld();
  const { tokens } = await endpointWorld.enter();
  await endpointWorld.world.core.dispose();
  const squatter = createServer();
  const port = Number(new URL(endpointWorld.url).port);
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));

  const world = await endpointWorld.world.restart();
  const { handlers } = world.core;
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  const { endpoint } = await handlers['agents.get']({});
  expect(endpoint.url).toBe(endpointWorld.url);
  expect(endpoint.problem?.message).toBe(
    'The port at which agents connect is used by another program, or reserved by the system.',
  );

  await handlers['agents.openEndpoint']({ onAnotherPort: true });
  const moved = await handlers['agents.get']({});
  expect(moved.endpoint.problem).toBeNull();
  expect(moved.endpoint.url).not.toBe(endpointWorld.url);
  expect(moved.agents.map(({ ended }) => ended?.because)).toEqual(['signed-out']);
  expect((await initialize(moved.endpoint.url, tokens.access_token)).status).toBe(401);
  await new Promise((resolve) => squatter.close(resolve));
});
