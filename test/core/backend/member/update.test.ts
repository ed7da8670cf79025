import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { speak, statusOf } from '#test/core/platform/loopback/raw-socket.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
let poor: string;

/** Returns the buyer's newest campaign that matches the query, in full. */
async function find(query: string, token?: string): Promise<JsonObject> {
  const [row] = (await service.list(`?${query}`, token)).data;
  if (row === undefined) throw new Error(`No campaign fits ${query}`);
  return service.campaign(row.cid, token);
}

const cidOf = (campaign: JsonObject) => Number(campaign['cid']);
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  answer.body.errors?.map(({ field }) => field).sort();

beforeAll(async () => {
  service = await startBackend();
  poor = service.credentials.accounts.withoutBalance.memberToken;
});
afterAll(() => service.dispose());

describe('a full update', () => {
  let push: JsonObject;
  beforeEach(async () => {
    push = await find('types=3&status=3');
  });

  test('is stored completely, including unknown filters, and answered without data', async () => {
    const payload = {
      ...push,
      payout: 0.123,
      name: 'Ünïcode “renamed” 🚀',
      clickurl: 'https://track.example/c?id={click_id}&at=%7B{campaign_id}',
      domain_blocklist: ['a.example', 7, { deep: [1] }],
    };
    const answer = await service.put(cidOf(push), payload);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', message: expect.any(String) });
    expect(await service.campaign(cidOf(push))).toEqual(payload);
    const [row] = (await service.list(`?query=${cidOf(push)}`)).data;
    expect(row).toMatchObject({ payout: 0.123, name: 'Ünïcode “renamed” 🚀' });
    expect((await service.list('?query=RENAMED%E2%80%9D')).total).toBe(1);
  });

  test('uses the cid of its path, whatever its body says', async () => {
    const other = await find('types=3&status=1');
    for (const cid of [cidOf(other), 'x', null, 0] as JsonValue[]) {
      expect((await service.put(cidOf(push), { ...push, cid, payout: 0.2 })).status).toBe(200);
    }
    expect(await service.campaign(cidOf(push))).toEqual({ ...push, payout: 0.2 });
    expect(await service.campaign(cidOf(other))).toEqual(other);
  });

  test('with a flag of 1 empties the list of that flag', async () => {
    const payload = { ...push, geo_enabled: 1, geo: ['DE', 'AT'] };
    expect((await service.put(cidOf(push), payload)).status).toBe(200);
    expect(await service.campaign(cidOf(push))).toEqual({ ...payload, geo: [] });
    expect((await service.list(`?query=${cidOf(push)}`)).data[0]?.geo).toEqual([]);
  });

  test('with budgeting off sets the effective budgets to 0', async () => {
    await service.put(cidOf(push), { ...push, enable_budget: 0, d_revenue: 50, t_revenue: 500 });
    const [row] = (await service.list(`?query=${cidOf(push)}`)).data;
    expect(row).toMatchObject({ d_revenue: 50, t_revenue: 500, daily_budget: 0, total_budget: 0 });
  });

  test('names every invalid field at once and changes nothing', async () => {
    const payload: JsonObject = {
      ...push,
      name: '',
      payout: 99,
      geo_enabled: 0,
      geo: [],
      shedule: [1],
      title: 'x'.repeat(26),
    };
    delete payload['ip_blocklist'];
    const answer = await service.put(cidOf(push), { ...payload, surprise: 1 });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual([
      'geo',
      'ip_blocklist',
      'name',
      'payout',
      'shedule',
      'surprise',
      'title',
    ]);
    expect(await service.campaign(cidOf(push))).toEqual(push);
  });

  test('made of a list row is refused and names every missing field', async () => {
    const [row] = (await service.list(`?query=${cidOf(push)}`)).data;
    const answer = await service.put(cidOf(push), row);
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(
      expect.arrayContaining(['clickurl', 'shedule', 'type', 'type_name', 'bidControl']),
    );
    expect(await service.campaign(cidOf(push))).toEqual(push);
  });

  test('without a cid is incomplete', async () => {
    const { cid: _cid, ...payload } = push;
    expect(fieldsOf(await service.put(cidOf(push), payload))).toEqual(['cid']);
  });

  test('is forbidden with a foreign uid and invalid with a malformed uid', async () => {
    const neighbour = service.credentials.accounts.neighbour.uid;
    expect((await service.put(cidOf(push), { ...push, uid: neighbour })).status).toBe(403);
    expect(fieldsOf(await service.put(cidOf(push), { ...push, uid: 'me' }))).toEqual(['uid']);
    expect(await service.campaign(cidOf(push))).toEqual(push);
  });

  test('gets the same answer for a missing and a foreign campaign', async () => {
    const foreign = await find('perPage=1', service.credentials.accounts.neighbour.memberToken);
    const answers = new Map<string, Set<string>>();
    for (const cid of [
      String(cidOf(foreign)),
      '1',
      '999999999',
      'abc',
      '0',
      '1.5',
      '1e3',
      '-1',
      '99999999999999999999',
    ]) {
      for (const [name, answer] of [
        ['GET', await service.send('GET', `/login/campaigns/${cid}`)],
        ['PUT own', await service.put(cid as never, push)],
        ['PUT foreign', await service.put(cid as never, foreign)],
        ['PUT nothing', await service.put(cid as never, {})],
      ] as const) {
        const seen = answers.get(name) ?? new Set();
        answers.set(name, seen.add(`${answer.status} ${answer.text}`));
      }
    }
    expect([...answers.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    expect([...(answers.get('GET') ?? [])][0]).toMatch(/^404 /);
  });

  const bodies: [string, string | Uint8Array<ArrayBuffer>, number, string][] = [
    ['nothing', '', 400, 'json_invalid'],
    ['half an object', '{"cid":1', 400, 'json_invalid'],
    ['a list', '[]', 400, 'bad_input'],
    ['null', 'null', 400, 'bad_input'],
    ['a key named twice', '{"name":"a","name":"b"}', 400, 'json_duplicate_key'],
    ['__proto__', '{"__proto__":{"uid":1}}', 400, 'json_forbidden_key'],
    ['a number beyond the range of a double', '{"payout":9007199254740993}', 400, 'json_number_inexact'],
    ['half a character', '{"name":"\\ud800"}', 400, 'json_lone_surrogate'],
    ['a deep nest', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 400, 'json_too_deep'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'json_invalid'],
    ['five megabytes', ' '.repeat(5 * 1024 * 1024), 413, 'payload_too_large'],
  ];
  test.each(bodies)('is refused with %s as its body', async (_name, body, status, code) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.send('PUT', `/login/campaigns/${cidOf(push)}`, { body, headers });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await service.campaign(cidOf(push))).toEqual(push);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'application/jsonp',
    'text/json',
  ])('is refused with the content type %s', async (type) => {
    const answer = await service.send('PUT', `/login/campaigns/${cidOf(push)}`, {
      body: JSON.stringify({ ...push, payout: 0.3 }),
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(415);
    expect(await service.campaign(cidOf(push))).toEqual(push);
  });

  const oddHeads: [string, number, string][] = [
    ['a Content-Encoding', 415, 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n'],
    ['two content types', 415, 'Content-Type: application/json\r\nContent-Type: text/plain\r\n'],
    ['no coding, by name', 200, 'Content-Type: application/json\r\nContent-Encoding: identity\r\n'],
  ];
  test.each(oddHeads)('as JSON with %s is answered with %d', async (_name, status, lines) => {
    const body = JSON.stringify({ ...push, payout: 0.31 });
    expect(statusOf(await speak(service.port, `${putHead(lines, Buffer.byteLength(body))}${body}`))).toBe(
      status,
    );
    expect((await service.campaign(cidOf(push)))['payout']).toBe(status === 200 ? 0.31 : push['payout']);
  });

  test('that announces a body over the limit is refused before the body is requested', async () => {
    const lines = 'Content-Type: application/json\r\nExpect: 100-continue\r\n';
    expect(statusOf(await speak(service.port, putHead(lines, 9_000_000)))).toBe(413);
  });

  /** Returns a PUT of the buyer up to its body. */
  function putHead(lines: string, length: number): string {
    const start = `PUT /api/v1/login/campaigns/${cidOf(push)} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n`;
    const bearer = `Authorization: Bearer ${service.credentials.memberToken}\r\n`;
    return `${start}${bearer}${lines}Content-Length: ${length}\r\nConnection: close\r\n\r\n`;
  }

  test('with four thousand unknown fields gets a short answer', async () => {
    const surprises = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`field_${at}`, 1]));
    const answer = await service.put(cidOf(push), { ...push, ...surprises });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveLength(101);
    const status = await service.setStatus({ ids: [cidOf(push)], status: 3, ...surprises });
    expect([status.status, status.body.errors?.length]).toEqual([422, 101]);
  });

  test.each([
    [49_000, 200],
    [50_001, 413],
  ])('with a filter of %i values is answered with %i', async (length, status) => {
    const before = await service.campaign(cidOf(push));
    const payload = { ...push, publisher_blocklist: Array.from({ length }, (_, at) => at) };
    expect((await service.put(cidOf(push), payload)).status).toBe(status);
    expect(await service.campaign(cidOf(push))).toEqual(status === 200 ? payload : before);
  });
});

describe('a full update that changes the status', () => {
  const moves: [string, number, number][] = [
    ['status=3', 1, 200],
    ['status=3', 4, 200],
    ['status=3', 2, 200],
    ['status=1', 3, 200],
    ['status=1', 0, 400],
    ['status=0', 1, 400],
    ['status=0', 4, 400],
    ['status=0', 3, 200],
    ['status=0', 0, 200],
    ['status=2', 1, 200],
    ['status=3', 5, 422],
    ['status=3', 1.5, 422],
  ];
  test.each(moves)('for a campaign with %s to %d is answered with %d', async (query, to, status) => {
    const campaign = await find(query);
    expect((await service.put(cidOf(campaign), { ...campaign, status: to })).status).toBe(status);
    const after = await service.campaign(cidOf(campaign));
    expect(after['status']).toBe(status === 200 ? to : campaign['status']);
  });

  test('needs balance to activate, but not to edit an active campaign', async () => {
    const paused = await find('status=3', poor);
    const refused = await service.put(cidOf(paused), { ...paused, status: 1 }, poor);
    expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_balance']);
    const active = await find('status=1', poor);
    expect((await service.put(cidOf(active), { ...active, name: 'still active' }, poor)).status).toBe(200);
  });
});

describe('a tenant with other settings', () => {
  test('refuses a changed click URL, bid controls, and a type that it does not offer', async () => {
    const meridian = await startBackend({ tenant: 'meridian' });
    const [row] = (await meridian.list('?types=1&status=3')).data;
    const campaign = await meridian.campaign(row?.cid ?? 0);
    const put = (changes: JsonObject) => meridian.put(row?.cid ?? 0, { ...campaign, ...changes });
    expect(fieldsOf(await put({ clickurl: 'https://elsewhere.example/' }))).toEqual(['clickurl']);
    expect(fieldsOf(await put({ bidControl: [{ id: 1 }] }))).toEqual(['bidControl']);
    expect(fieldsOf(await put({ type: 3 }))).toEqual(['type']);
    expect(fieldsOf(await put({ d_revenue: 24.99, enable_budget: 1 }))).toEqual(['d_revenue']);
    expect((await put({ name: 'allowed' })).status).toBe(200);
    const [banner] = (await meridian.list('?types=4&status=3')).data;
    const stored = await meridian.campaign(banner?.cid ?? 0);
    for (const clickurl of ['', 'https://elsewhere.example/']) {
      const answer = await meridian.put(banner?.cid ?? 0, { ...stored, type: 7, payout: 0.2, clickurl });
      expect(fieldsOf(answer)).toEqual(expect.arrayContaining(['type']));
      expect(fieldsOf(answer)).not.toContain('clickurl');
    }
    await meridian.dispose();
  });
});
