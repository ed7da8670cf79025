import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IssuedGrant } from '#core/oauth-server/index.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

interface Tenant {
  service: RunningBackend;
  origin: string;
  grant: IssuedGrant;
  session: string;
}

let northwind: Tenant;
let meridian: Tenant;

async function openTenant(tenant: 'northwind' | 'meridian'): Promise<Tenant> {
  const service = await startBackend({ tenant, campaigns: 5, allowDirectJwt: true });
  const { origin } = new URL(service.baseUrl);
  const grant = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
  const { headers } = await initialize(origin, grant.accessToken);
  return { service, origin, grant, session: headers.get('mcp-session-id') ?? '' };
}

beforeAll(async () => {
  northwind = await openTenant('northwind');
  meridian = await openTenant('meridian');
});
afterAll(async () => {
  await northwind.service.dispose();
  await meridian.service.dispose();
});

function mcp(origin: string, token: string, body: object, session?: string): Promise<Response> {
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify(body),
  });
}

function initialize(origin: string, token: string): Promise<Response> {
  return mcp(origin, token, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

describe('two tenants on one computer', () => {
  test('have separate sessions, whatever credential is used', async () => {
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const { service, origin } = meridian;
    const grant = await service.backend.issueRemoteGrant({ account: 'neighbour', scopes: ['svc:read'] });
    expect(await statusOf(mcp(origin, grant.accessToken, list, northwind.session))).toBe(404);
    expect(await statusOf(mcp(origin, grant.accessToken, list, meridian.session))).toBe(404);
    expect(await statusOf(mcp(origin, meridian.grant.accessToken, list, meridian.session))).toBe(200);
  });

  test('are separate issuers with their own settings and types', async () => {
    const documents = await Promise.all(
      [northwind, meridian].map(async ({ origin }) => {
        const answer = await fetch(`${origin}/.well-known/oauth-authorization-server`);
        return (await answer.json()) as { issuer: string };
      }),
    );
    expect(documents.map(({ issuer }) => issuer)).toEqual([northwind.origin, meridian.origin]);
    const contexts = await Promise.all(
      [northwind, meridian].map(async ({ service }) =>
        service.context((await service.list()).data[0]?.cid ?? 0),
      ),
    );
    expect(contexts[0]?.settings).not.toEqual(contexts[1]?.settings);
    expect(Object.keys(contexts[0]?.types ?? {})).not.toEqual(Object.keys(contexts[1]?.types ?? {}));
  });
});
