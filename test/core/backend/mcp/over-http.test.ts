import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DemoAccounts } from '#core/backend/demo-data/credentials.ts';
import type { Scope } from '#core/backend/remote-call/tool.ts';
import type { IssuedGrant } from '#core/oauth-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { startBackend, type RunningBackend } from '../open-backend.ts';
import { everyScope } from './open-surface.ts';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({ campaigns: 30, days: 3 });
});
afterAll(() => service.dispose());

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** Connects a client of the SDK, which checks every answer against the listed schema. */
async function connect(account: keyof DemoAccounts, scopes: readonly Scope[] = everyScope): Promise<Client> {
  const { accessToken } = await service.backend.issueRemoteGrant({ account, scopes });
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${accessToken}` } },
  });
  clients.push(client);
  await client.connect(transport);
  return client;
}

/** Opens a session without a client library, so that tests see the raw messages. */
async function openSession(running: RunningBackend, account: keyof DemoAccounts, scopes: readonly Scope[]) {
  const grant = await running.backend.issueRemoteGrant({ account, scopes });
  let session: Record<string, string> = {};
  const send = async (method: string, params: JsonObject): Promise<Response> =>
    fetch(`http://127.0.0.1:${running.port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${grant.accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const opened = await send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await opened.text();
  session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  return { grant, send };
}

const structured = (result: object): JsonObject =>
  (result as { structuredContent: JsonObject }).structuredContent;
const call = async (client: Client, name: string, args: JsonObject = {}): Promise<JsonObject> =>
  structured(await client.callTool({ name, arguments: args }));

describe('the list of tools', () => {
  test('contains every tool of the service, each with strict arguments, an output schema and annotations', async () => {
    const client = await connect('buyer');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'svc_whoami',
      'svc_list_campaigns',
      'svc_get_campaign',
      'svc_xml_stats',
      'svc_search_report',
      'svc_list_tasks',
      'svc_prepare_campaign_update',
      'svc_prepare_campaign_status',
      'svc_prepare_upload',
      'svc_prepare_task',
      'svc_prepare_task_cancel',
      'svc_commit',
      'svc_get_operation',
    ]);
    const ajv = addFormats.default(
      new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }),
    );
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(ajv.compile(inputSchema)({ nothing_like_it: 1 }), name).toBe(false);
      expect(ajv.compile(outputSchema ?? {})({ status: 'success' }), name).toBe(false);
      expect(annotations, name).toMatchObject({ title, openWorldHint: false });
      expect(annotations?.readOnlyHint, name).toBe(!/prepare|commit/.test(name));
      expect(annotations?.destructiveHint, name).toBe(name === 'svc_commit');
      expect(description?.length, name).toBeGreaterThan(30);
    }
  });

  test('takes less than 46.5 kB with every schema', async () => {
    const client = await connect('buyer');
    const { tools } = await client.listTools();
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(46_500);
  });

  test('describes refusals with the schemas that tools promise', async () => {
    const client = await connect('buyer');
    const { tools } = await client.listTools();
    for (const { name } of tools) {
      expect(await call(client, name, { nothing_like_it: 1 }), name).toMatchObject({
        status: 'error',
        error: { code: 'arguments_invalid', statusCode: 400 },
      });
    }
  });
});

describe('the demo accounts', () => {
  const accounts: [keyof DemoAccounts, number, string][] = [
    ['buyer', 13, 'Marlow Media'],
    ['neighbour', 7, 'Quayside Ads'],
    ['withoutBalance', 11, 'Penny Lane Deals'],
    ['publisher', 8, 'Gazette Network'],
  ];
  test.each(accounts)(
    '%s has %i tools, and whoami reports the same number',
    async (account, available, name) => {
      const client = await connect(account);
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(available);
      expect(await call(client, 'svc_whoami')).toMatchObject({
        data: { identity: { name }, counts: { tools: { available, catalog: 13 } } },
      });
    },
  );
});

test('are notified when their rights change', async () => {
  const client = await connect('withoutBalance');
  const before = await client.listTools();
  const reported = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  service.backend.setAccess(service.credentials.accounts.withoutBalance.uid, { modules: ['uploads'] });
  await reported;
  const { tools } = await client.listTools();
  expect(before.tools.map(({ name }) => name)).toContain('svc_get_campaign');
  expect(tools.map(({ name }) => name)).toEqual([
    'svc_whoami',
    'svc_prepare_upload',
    'svc_commit',
    'svc_get_operation',
  ]);
  expect(await call(client, 'svc_list_campaigns')).toMatchObject({ error: { code: 'module_denied' } });
});

describe('over HTTP', () => {
  test('a missing scope is 403 and names it with the scopes of the token', async () => {
    const { send } = await openSession(service, 'buyer', ['svc:read', 'offline_access']);
    const answer = await send('tools/call', { name: 'svc_prepare_upload', arguments: {} });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    const [, scope = ''] = /scope="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
    expect(scope.split(' ').toSorted()).toEqual(['offline_access', 'svc:read', 'svc:upload', 'svc:write']);
    expect(await answer.json()).toMatchObject({ error: { data: { code: 'scope_missing' } } });
  });

  test('too many calls are 429 with the time to wait', async () => {
    const busy = await startBackend({ campaigns: 1, days: 1, quotas: { callsPerMinute: 3 } });
    const { send } = await openSession(busy, 'buyer', ['svc:read']);
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await send('tools/list', {}));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    await busy.dispose();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(texts[2]).toContain('quota_exceeded');
  });

  test('another member’s campaign and a missing campaign have identical answers', async () => {
    const [own] = (await service.list()).data;
    const { send } = await openSession(service, 'neighbour', ['svc:read']);
    const bytes = async (method: string, params: (cid: number) => JsonObject) => {
      const cids = [own?.cid ?? 0, 999_999];
      const answers = [await send(method, params(cids[0] ?? 0)), await send(method, params(cids[1] ?? 0))];
      const headers = (answer: Response) =>
        [...answer.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
      // The answer must contain the id of its request.
      return answers.map(async (answer, at) =>
        JSON.stringify([await answer.text(), headers(answer)]).replaceAll(String(cids[at]), 'CID'),
      );
    };
    for (const [method, params] of [
      ['tools/call', (cid: number) => ({ name: 'svc_get_campaign', arguments: { cid } })],
      ['resources/read', (cid: number) => ({ uri: `svc://campaigns/${cid}` })],
    ] as const) {
      const [foreign, absent] = await Promise.all(await bytes(method, params));
      expect(foreign).toBe(absent);
      expect(foreign).toMatch(/_not_found/);
    }
  });

  test('a valid credential of any endpoint is refused in the arguments', async () => {
    const { grant, send } = await openSession(service, 'buyer', ['svc:read']);
    const { memberToken, publisherKeys } = service.credentials;
    const credentials = [grant.accessToken, grant.refreshToken, memberToken, publisherKeys[0]?.key ?? ''];
    for (const credential of credentials) {
      const answer = await send('tools/call', {
        name: 'svc_whoami',
        arguments: { note: `take ${credential}!` },
      });
      const text = await answer.text();
      expect(text).toContain('dlp_denied');
      expect(text).not.toContain(credential);
    }
  });
});

describe('the next call is refused', () => {
  /** Returns the statuses of a call before and after the change. */
  async function around(
    change: (running: RunningBackend, grant: IssuedGrant) => Promise<unknown> | void,
  ): Promise<number[]> {
    const running = await startBackend({ campaigns: 30, days: 3 });
    onTestFinished(() => running.dispose());
    const { grant, send } = await openSession(running, 'buyer', ['svc:read']);
    const status = async () => {
      const answer = await send('tools/call', { name: 'svc_list_campaigns', arguments: {} });
      await answer.text();
      return answer.status;
    };
    const before = await status();
    await change(running, grant);
    return [before, await status()];
  }

  test('after its token was revoked', async () => {
    const statuses = await around(async ({ port }, { clientId, accessToken }) => {
      const body = new URLSearchParams({ client_id: clientId, token: accessToken });
      expect((await fetch(`http://127.0.0.1:${port}/revoke`, { method: 'POST', body })).status).toBe(200);
    });
    expect(statuses).toEqual([200, 401]);
  });

  test('after remote tools were removed from the member’s menu', async () => {
    const statuses = await around(({ backend, credentials }) => {
      backend.setAccess(credentials.accounts.buyer.uid, { mcpMenu: false });
    });
    expect(statuses).toEqual([200, 403]);
  });

  test('after another process removed remote tools from the member’s menu', async () => {
    expect(await around((running) => changeFile(running.file, 'UPDATE member SET mcp_menu = 0'))).toEqual([
      200, 403,
    ]);
  });

  test('after another process deleted the member', async () => {
    expect(
      await around((running) => changeFile(running.file, 'PRAGMA foreign_keys = OFF; DELETE FROM member')),
    ).toEqual([200, 401]);
  });
});

describe('a report through the tools', () => {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

  test('has the same rows as through REST', async () => {
    const client = await connect('publisher', ['svc:read']);
    const [key] = service.credentials.accounts.publisher.publisherKeys;
    const [tid] = key?.tids ?? [];
    const [from, to] = [day(4), day(0)];
    const rest = async (path: string): Promise<unknown> => {
      const answer = await fetch(
        `http://127.0.0.1:${service.port}${path}&date_from=${from}&date_to=${to}&token=${key?.key}`,
      );
      return ((await answer.json()) as { data: unknown }).data;
    };
    for (const groupBy of ['day', 'geo', 'subid']) {
      const { data } = await call(client, 'svc_xml_stats', {
        tid: tid ?? 0,
        date_from: from,
        date_to: to,
        groupBy,
      });
      expect(data).toEqual(await rest(`/xml/stats?tid=${tid}&groupBy=${groupBy}`));
      expect(data).not.toEqual([]);
    }
    const found: unknown[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const { data, sourcePagination } = await call(client, 'svc_search_report', {
        date_from: from,
        date_to: to,
        offset,
        limit: 333,
      });
      found.push(...(data as unknown[]));
      offset = (sourcePagination as { nextOffset: number | null }).nextOffset;
    }
    expect(found).toEqual(await rest('/publisher/search-report?'));
  });

  test('is refused for a foreign and an unknown source in the same words', async () => {
    const client = await connect('buyer', ['svc:read']);
    const [key] = service.credentials.accounts.publisher.publisherKeys;
    const range = { date_from: day(1), date_to: day(0) };
    const foreign = await call(client, 'svc_xml_stats', { tid: key?.tids[0] ?? 0, ...range });
    const absent = await call(client, 'svc_xml_stats', { tid: 999_999, ...range });
    expect(foreign).toEqual(absent);
    expect(foreign).toMatchObject({ error: { code: 'source_forbidden', statusCode: 403 } });
    expect(await call(client, 'svc_search_report', { sid: key?.feeds[0] ?? 0, ...range })).toMatchObject({
      error: { code: 'source_forbidden' },
    });
  });
});
