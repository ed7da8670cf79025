import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { openRemoteSession } from '#test/core/backend/remote-session.ts';
import { campaignNow, createWorld, findCampaign } from '#test/core/proposals/world.ts';
import { readAccount } from '#test/servers/read-account.ts';

const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Endpoints that are public and reveal nothing about an account. */
const open = new Set([
  'GET /health',
  'GET /ready',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
]);

/** Starts a second service like the first. The stranger holds each of its credentials. */
async function openTwin() {
  const twin = await startBackend({ campaigns: 5, days: 3 });
  onTestFinished(() => twin.dispose());
  const grant = await twin.backend.issueRemoteGrant({ account: 'buyer', scopes });
  const client = await openRemoteSession(`http://127.0.0.1:${twin.port}`, grant.accessToken);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  return { ...twin, grant, tools: tools.map(({ name }) => name) };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a member token of the twin, rewritten for another origin. */
function forged(memberToken: string, origin: string): { unsigned: string; signed: string } {
  const claims = JSON.parse(Buffer.from(memberToken.split('.')[1] ?? '', 'base64url').toString()) as object;
  const own = { ...claims, iss: origin, aud: [`${origin}/api/v1`, `${origin}/mcp`], exp: 9_999_999_999 };
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(own)}`;
  return {
    unsigned: `${encode({ alg: 'none', typ: 'JWT' })}.${encode(own)}.`,
    signed: `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`,
  };
}

test('a foreign service at the port of the embedded service changes nothing through any route or tool', async () => {
  const world = await createWorld();
  const twin = await openTwin();
  const { origin } = new URL(world.core.info.serviceUrl);
  const { cid } = await findCampaign(world, ({ status }) => status === 3);
  const campaign = { ...(await campaignNow(world, cid)), name: 'Mine now' };
  const before = await readAccount(world.other);
  const logged = world.service.requestLog().length;

  const { memberToken, accounts } = twin.credentials;
  const key = accounts.publisher.publisherKeys[0]?.key ?? '';
  const { clientId, accessToken, refreshToken } = twin.grant;
  const bearers = [null, memberToken, key, accessToken, ...Object.values(forged(memberToken, origin))];
  const ask = (method: string, path: string, bearer: string | null, body: JsonObject | string | null) =>
    fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        accept: 'application/json, text/event-stream',
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(typeof body === 'object' && body !== null ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const admitted: string[] = [];
  const attempt = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    await answer.body?.cancel();
    const [method, path] = asked;
    if (answer.status < 400 && !open.has(`${method} ${path}`)) admitted.push(`${method} ${path}`);
  };

  const { paths } = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as { paths: JsonObject };
  const places = Object.keys(paths).map((path) => path.replace('{cid}', String(cid)).replace('{name}', 'x'));
  expect(places).toContain(`/api/v1/login/campaigns/${cid}`);
  const bodies = [campaign, { ids: [cid], status: 2 }];
  for (const path of places) {
    for (const method of methods) {
      for (const bearer of bearers) {
        for (const body of method === 'GET' ? [null] : bodies) await attempt(method, path, bearer, body);
      }
    }
  }

  expect(twin.tools).toEqual(expect.arrayContaining(['svc_prepare_campaign_status', 'svc_commit']));
  for (const bearer of bearers) {
    const call = { jsonrpc: '2.0', id: 1 };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    await attempt('POST', '/mcp', bearer, { ...call, method: 'initialize', params });
    for (const name of twin.tools) {
      const called = { name, arguments: { ids: [cid], status: 'suspended', confirmed: true } };
      await attempt('POST', '/mcp', bearer, { ...call, method: 'tools/call', params: called });
    }
  }

  const redirect = 'http://127.0.0.1:9/callback';
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
  const resource = `${origin}/mcp`;
  const form = (values: Record<string, string>) => new URLSearchParams(values).toString();
  await attempt('POST', '/register', null, { redirect_uris: [redirect], client_name: 'Countersign' });
  for (const id of ['countersign', clientId]) {
    const code = { code_challenge: challenge, code_challenge_method: 'S256', response_type: 'code' };
    const asked = form({ client_id: id, redirect_uri: redirect, resource, ...code });
    await attempt('GET', `/authorize?${asked}`, null, null);
    await attempt('POST', '/authorize', null, asked);
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken };
    await attempt('POST', '/token', null, form({ client_id: id, ...refresh }));
    await attempt('POST', '/revoke', null, form({ client_id: id, token: refreshToken }));
  }
  for (const path of [`/xml/stats?tid=7301`, '/publisher/search-report?sid=411']) {
    await attempt('GET', `${path}&token=${key}&date_from=2026-01-01&date_to=2026-01-02`, null, null);
  }

  expect(admitted).toEqual([]);
  expect(world.service.requestLog().length - logged).toBeGreaterThan(500);
  expect(await readAccount(world.other)).toEqual(before);
  expect(world.shown).toEqual([]);

  // The refused request is valid: it changes a campaign if the app's own client sends it.
  await ask(
    'PUT',
    '/api/v1/login/campaigns/update-status',
    world.service.issueDemoCredentials().memberToken,
    {
      ids: [cid],
      status: 2,
    },
  );
  expect(await readAccount(world.other)).not.toEqual(before);
});
