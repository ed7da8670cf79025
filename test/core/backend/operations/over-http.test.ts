import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';
import { chunk, png } from '../uploads/pictures.ts';
import { commitOf } from './open-service.ts';
import type { Prepared } from './open-service.ts';

const scopes = ['svc:read', 'svc:write', 'svc:upload'] as const;
const update = 'svc_prepare_campaign_update';

let service: RunningBackend;
beforeAll(async () => {
  service = await startBackend({
    campaigns: 40,
    days: 2,
    quotas: { callsPerMinute: null, operationsPerMinute: null },
  });
});
afterAll(() => service.dispose());

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** Connects a client of the SDK with this access token. It checks every answer against the listed schema. */
async function clientWith(accessToken: string, port: number): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${accessToken}` } },
    }),
  );
  await client.listTools();
  return client;
}

async function connect(): Promise<Client> {
  const { accessToken } = await service.backend.issueRemoteGrant({ account: 'buyer', scopes });
  return clientWith(accessToken, service.port);
}

interface ToolError {
  code: string;
  message: string;
  statusCode: number;
  errors?: { field: string; code: string; message: string }[];
}

async function ask(client: Client, name: string, args: JsonObject) {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as { status: string; data?: JsonObject; error?: ToolError };
}

async function prepare(client: Client, name: string, args: JsonObject): Promise<Prepared> {
  const { data, error } = await ask(client, name, args);
  if (data === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
  return data as unknown as Prepared;
}

const cidOf = async (at: number) => (await service.list('?status=3&perPage=50')).data[at]?.cid ?? 0;

describe('the tools over HTTP', () => {
  test('keep an existing tracker token in a click URL, and refuse a new one', async () => {
    const client = await connect();
    const cid = (await service.list('?status=3&types=3&perPage=1')).data[0]?.cid ?? 0;
    const clickurl = 'https://track.example/c?token=abcdef123456&click={click_id}';
    expect((await service.put(cid, { ...(await service.campaign(cid)), clickurl })).status).toBe(200);

    const prepared = await prepare(client, update, { cid, changes: { name: 'Kept its tracker' } });
    const { data } = await ask(client, 'svc_commit', commitOf(prepared));
    expect(data).toMatchObject({ status: 'completed' });
    expect(await service.campaign(cid)).toMatchObject({ clickurl, name: 'Kept its tracker' });

    const other = `${clickurl}&token=zyxwvu987654`;
    const refused = await ask(client, update, { cid, changes: { clickurl: other } });
    expect(refused.error).toMatchObject({ code: 'dlp_denied', statusCode: 403 });
    const again = await prepare(client, update, { cid, changes: { name: 'Once more' } });
    const changed = commitOf({ ...again, payload: { ...again.payload, clickurl: other } });
    expect((await ask(client, 'svc_commit', changed)).error).toMatchObject({ code: 'approval_mismatch' });
    expect(await service.campaign(cid)).toMatchObject({ clickurl });
  });

  test('upload a picture of one mebibyte, which is served at the address from its commit', async () => {
    const client = await connect();
    const rest = 1024 * 1024 - png(600, 400).length - 12;
    const content = png(600, 400, [chunk('teSt', Buffer.alloc(rest, 7))]);
    expect(content.length).toBe(1024 * 1024);
    const file = { kind: 'image', fileName: 'main.png', contentType: 'image/png' };
    const data = content.toString('base64');
    const prepared = await prepare(client, 'svc_prepare_upload', { ...file, data });
    const committed = await ask(client, 'svc_commit', commitOf(prepared));
    const { image } = (committed.data?.['verification'] ?? {}) as unknown as { image: { url: string } };
    const served = await fetch(image.url);
    expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true);
  });

  test('let an agent that lost the answer of its commit find it by its key', async () => {
    const client = await connect();
    const cid = await cidOf(5);
    const prepared = await prepare(client, update, { cid, changes: { name: 'Written all the same' } });
    service.backend.faults.arm({ kind: 'cut-after-write', method: 'POST', path: '/mcp' });
    const request = commitOf(prepared);
    await expect(ask(client, 'svc_commit', request)).rejects.toThrow();
    expect((await service.campaign(cid))['name']).toBe('Written all the same');
    const key = { idempotencyKey: String(request['idempotencyKey']) };
    const { data } = await ask(client, 'svc_get_operation', key);
    expect(data).toMatchObject({ status: 'completed', verification: { stored: true } });
    expect((await ask(client, 'svc_commit', request)).data).toEqual(data);
  });

  test('give a later grant of the same client no earlier approval, but the results of earlier commits', async () => {
    const one = await connect();
    const other = await connect();
    const prepared = await prepare(one, update, { cid: await cidOf(3), changes: { name: 'Mine' } });
    expect((await ask(other, 'svc_commit', commitOf(prepared))).error?.code).toBe('approval_invalid');
    const { data } = await ask(one, 'svc_commit', commitOf(prepared));
    const operation = { operationId: String(data?.['operationId']) };
    expect((await ask(other, 'svc_get_operation', operation)).data).toEqual(data);
  });

  const payloads: [string, JsonObject][] = [
    ['a name too long', { name: 'x'.repeat(256) }],
    ['a bid too low', { payout: 0 }],
    ['a bid over the maximum', { payout: 9_999 }],
    ['everything wrong', { name: '', payout: -1, geo_enabled: 0, geo: [], shedule: [] }],
    ['an unknown field', { unknown: 1 }],
    ['Pending', { status: 0 }],
    ['an unknown status', { status: 7 }],
    ['another account', { uid: 1 }],
  ];
  test.each(payloads)('refuse the same updates as REST: %s', async (_name, changes) => {
    const client = await connect();
    const cid = await cidOf(4);
    const rest = await service.put(cid, { ...(await service.campaign(cid)), ...changes });
    const { error } = await ask(client, update, { cid, changes });
    // The tools append the given value to the message.
    const others = (rest.body.errors as { message: string }[] | undefined)?.map((one) => ({
      ...one,
      message: expect.stringContaining(one.message) as string,
    }));
    expect([error?.statusCode, error?.code, error?.message, error?.errors]).toEqual([
      rest.status,
      rest.body.code,
      expect.stringContaining(rest.body.message),
      others,
    ]);
    expect(rest.status).toBeGreaterThanOrEqual(400);
  });
});
