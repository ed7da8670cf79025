import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

interface Row {
  what: string;
  path: string;
  url(service: RunningBackend, cid: number): string;
  method?: string;
  headers?(service: RunningBackend): Record<string, string>;
  body?: string;
  status: number;
}

const bearer = ({ credentials }: RunningBackend) => ({ authorization: `Bearer ${credentials.memberToken}` });
let accessToken = '';
const ofRemote = () => ({ authorization: `Bearer ${accessToken}` });
const jsonBody = { 'content-type': 'application/json' };
const list = '/api/v1/login/campaigns/campaigns';
const one = '/api/v1/login/campaigns/{cid}';
const statuses = '/api/v1/login/campaigns/update-status';
const xmlStats = '/xml/stats';
const search = '/publisher/search-report';
const range = 'date_from=2026-01-01&date_to=2026-01-31';

function origin({ port }: RunningBackend): string {
  return `http://127.0.0.1:${port}`;
}

function keyed({ credentials }: RunningBackend): { key: string; tid: number } {
  const [publisher] = credentials.accounts.publisher.publisherKeys;
  return { key: publisher?.key ?? '', tid: publisher?.tids[0] ?? 0 };
}

const rows: Row[] = [
  { what: 'a page', path: list, url: (s) => `${origin(s)}${list}`, headers: bearer, status: 200 },
  { what: 'no token', path: list, url: (s) => `${origin(s)}${list}`, status: 401 },
  {
    what: 'a wrong page',
    path: list,
    url: (s) => `${origin(s)}${list}?page=0`,
    headers: bearer,
    status: 422,
  },
  {
    what: 'a campaign',
    path: one,
    url: (s, cid) => `${origin(s)}${one.replace('{cid}', String(cid))}`,
    headers: bearer,
    status: 200,
  },
  {
    what: 'an absent campaign',
    path: one,
    url: (s) => `${origin(s)}${one.replace('{cid}', '1')}`,
    headers: bearer,
    status: 404,
  },
  {
    what: 'an unknown status',
    path: statuses,
    url: (s) => `${origin(s)}${statuses}`,
    method: 'put',
    headers: (s) => ({ ...bearer(s), ...jsonBody }),
    body: '{"ids":[],"status":3}',
    status: 422,
  },
  ...['day', 'geo', 'subid'].map((group): Row => ({
    what: `statistics by ${group}`,
    path: xmlStats,
    url: (s) => `${origin(s)}${xmlStats}?token=${keyed(s).key}&tid=${keyed(s).tid}&${range}&groupBy=${group}`,
    status: 200,
  })),
  {
    what: 'statistics without a key',
    path: xmlStats,
    url: (s) => `${origin(s)}${xmlStats}?tid=1&${range}`,
    status: 401,
  },
  {
    what: 'statistics of another member’s source',
    path: xmlStats,
    url: (s) => `${origin(s)}${xmlStats}?token=${keyed(s).key}&tid=1&${range}`,
    status: 403,
  },
  {
    what: 'the Search report',
    path: search,
    url: (s) => `${origin(s)}${search}?token=${keyed(s).key}&${range}`,
    status: 200,
  },
  {
    what: 'a Search report of an invalid day',
    path: search,
    url: (s) => `${origin(s)}${search}?token=${keyed(s).key}&date_from=x&date_to=y`,
    status: 422,
  },
  ...['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'].map(
    (path): Row => ({ what: path, path, url: (s) => `${origin(s)}${path}`, status: 200 }),
  ),
  {
    what: 'a registration',
    path: '/register',
    url: (s) => `${origin(s)}/register`,
    method: 'post',
    headers: () => jsonBody,
    body: '{"redirect_uris":["http://127.0.0.1:7777/callback"],"client_name":"Reader"}',
    status: 201,
  },
  {
    what: 'a registration with a foreign address',
    path: '/register',
    url: (s) => `${origin(s)}/register`,
    method: 'post',
    headers: () => jsonBody,
    body: '{"redirect_uris":["http://evil.example/callback"]}',
    status: 400,
  },
  {
    what: 'an unknown code',
    path: '/token',
    url: (s) => `${origin(s)}/token`,
    method: 'post',
    headers: () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
    body: 'grant_type=authorization_code&client_id=nobody&code=x',
    status: 401,
  },
  {
    what: 'a call without a token',
    path: '/mcp',
    url: (s) => `${origin(s)}/mcp`,
    method: 'post',
    headers: () => ({ ...jsonBody, accept: 'application/json, text/event-stream' }),
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    status: 401,
  },
  {
    what: 'a call that does not accept a stream',
    path: '/mcp',
    url: (s) => `${origin(s)}/mcp`,
    method: 'post',
    headers: () => ({ ...jsonBody, ...ofRemote(), accept: 'application/json' }),
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    status: 406,
  },
  {
    what: 'an end of no session',
    path: '/mcp',
    url: (s) => `${origin(s)}/mcp`,
    method: 'delete',
    headers: ofRemote,
    status: 400,
  },
  {
    what: 'a missing picture',
    path: '/uploads/{name}',
    url: (s) => `${origin(s)}/uploads/${'0'.repeat(64)}.png`,
    status: 404,
  },
  { what: 'health', path: '/health', url: (s) => `${origin(s)}/health`, status: 200 },
  { what: 'readiness', path: '/ready', url: (s) => `${origin(s)}/ready`, status: 200 },
];

let document: Document;
let service: RunningBackend;
let cid = 0;
const ajv = new Ajv2020({ strict: false, allErrors: true });

beforeAll(async () => {
  document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Document;
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  service = await startBackend({ campaigns: 20 });
  cid = (await service.list()).data[0]?.cid ?? 0;
  ({ accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] }));
});

afterAll(() => service.dispose());

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone({ ...document }))).toEqual({ valid: true });
});

describe('the service answers as the document says:', () => {
  test('the end of a session: 204', async () => {
    const open = await fetch(`${origin(service)}/mcp`, {
      method: 'POST',
      headers: { ...jsonBody, ...ofRemote(), accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}',
    });
    await open.text();
    const session = { 'mcp-session-id': open.headers.get('mcp-session-id') ?? '' };
    const answer = await fetch(`${origin(service)}/mcp`, {
      method: 'DELETE',
      headers: { ...ofRemote(), ...session },
    });
    expect(answer.status).toBe(204);
    expect(document.paths['/mcp']?.['delete']?.responses).toHaveProperty(['204']);
  });

  test.each(rows)('$what: $status', async ({ path, url, method = 'get', headers, body, status }) => {
    const answer = await fetch(url(service, cid), {
      method: method.toUpperCase(),
      headers: headers?.(service) ?? {},
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(status);
    expect(document.paths[path]?.[method]?.responses[status]?.content).toHaveProperty(['application/json']);
    const pointer = [
      'paths',
      path,
      method,
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`openapi#/${pointer}`);
    if (validate === undefined) throw new Error('The document has no schema for this answer');
    const isValid = validate(await answer.json());
    expect([isValid, validate.errors ?? null]).toEqual([true, null]);
  });
});
