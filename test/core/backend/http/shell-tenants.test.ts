import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Each credential of one tenant, used at the surface that takes its kind: at its own tenant, and at another. */
const doors: readonly [
  what: string,
  open: (owner: Tenant, at: string) => Promise<number>,
  own: number,
  foreign: number,
][] = [
  [
    'a member token',
    ({ service }, at) =>
      statusOf(
        fetch(`${at}/api/v1/login/campaigns/campaigns`, {
          headers: { authorization: `Bearer ${service.credentials.memberToken}` },
        }),
      ),
    200,
    401,
  ],
  [
    'a publisher key',
    ({ service }, at) =>
      statusOf(
        fetch(
          `${at}/publisher/search-report?token=${service.credentials.publisherKeys[0]?.key}&date_from=2026-01-01&date_to=2026-01-01`,
        ),
      ),
    200,
    401,
  ],
  ['an access token', ({ grant }, at) => statusOf(initialize(at, grant.accessToken)), 200, 401],
  [
    'a member token as direct JWT',
    ({ service }, at) => statusOf(initialize(at, service.credentials.memberToken)),
    200,
    401,
  ],
  [
    'a refresh token',
    ({ grant }, at) =>
      statusOf(
        fetch(`${at}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: grant.clientId,
            refresh_token: grant.refreshToken,
            resource: `${at}/mcp`,
          }),
        }),
      ),
    200,
    // RFC 6749 §5.2: what is wrong with a grant or its client is 400.
    400,
  ],
];

describe('two tenants at once', () => {
  test.each(doors)('%s opens its own service and no other', async (_what, open, own, foreign) => {
    const both = [northwind, meridian] as const;
    for (const owner of both) {
      for (const other of both) {
        const status = await open(owner, other.origin);
        expect(status).toBe(owner === other ? own : foreign);
      }
    }
  });

  test('a session of one is unknown at the other, with any credential', async () => {
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const { service, origin } = meridian;
    const grant = await service.backend.issueRemoteGrant({ account: 'neighbour', scopes: ['svc:read'] });
    expect(await statusOf(mcp(origin, grant.accessToken, list, northwind.session))).toBe(404);
    expect(await statusOf(mcp(origin, grant.accessToken, list, meridian.session))).toBe(404);
    expect(await statusOf(mcp(origin, meridian.grant.accessToken, list, meridian.session))).toBe(200);
  });

  test('each is its own issuer, and its settings and types are its own', async () => {
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

test('no tenant is named outside the tenants and their demo data', () => {
  const backend = 'src/main/core/backend';
  const naming = readdirSync(backend, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(tenants\.ts$|demo-data\/)/.test(file))
    .filter((file) => /northwind|meridian/i.test(codeOf(readFileSync(join(backend, file), 'utf8'))));
  expect(naming).toEqual([]);
});

/** Without comments that stand on their own lines. */
function codeOf(text: string): string {
  return text.replaceAll(/^\s*(\/\*|\*|\/\/).*$/gm, '');
}
