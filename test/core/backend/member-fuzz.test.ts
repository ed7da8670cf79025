import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortColumns } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { speak, statusOf } from '#test/core/platform/loopback/raw-socket.ts';
import { startBackend } from './open-backend.ts';
import type { RunningBackend } from './open-backend.ts';
import { runs } from '#test/setup/property-runs.ts';

let service: RunningBackend;
let campaigns: JsonObject[];

beforeAll(async () => {
  service = await startBackend({ campaigns: 60 });
  const { data } = await service.list('?perPage=60');
  campaigns = await Promise.all(data.map(({ cid }) => service.campaign(cid)));
});
afterAll(() => service.dispose());

/** The list of campaigns as it is read, and one of them in full. */
const stored = async (cid: number): Promise<unknown> => [
  await service.list('?perPage=60&sort=cid'),
  await service.campaign(cid),
];

/** Values that have broken servers before. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    2,
    1e21,
    -1e308,
    1.5,
    5e-324,
    9007199254740991,
    '',
    ' ',
    '0',
    '1',
    'NaN',
    '\0',
    '‮',
    '👩‍👩‍👧',
    "'; DROP TABLE campaign;--",
    '"',
    '%',
    [],
    {},
    [[]],
    [null],
    { url: '' },
    { toString: 1 },
    'x'.repeat(300),
    'constructor',
    '2026-02-30',
    '24:00',
    'http://',
    'javascript:alert(1)',
    'https://[::1',
  ),
  fc.jsonValue(),
);

const request = (method: string, path: string, body: string) =>
  service.send(method, path, { body, headers: { 'content-type': 'application/json' } });

describe('no request, however wrong', () => {
  test('breaks the service: a campaign with some fields replaced, removed or added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(59),
        fc.array(fc.tuple(fc.nat(200), odd), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(200), { maxLength: 2 }),
        fc.dictionary(fc.string(), odd, { maxKeys: 1 }),
        async (which, replaced, removed, added) => {
          const campaign = campaigns[which] ?? {};
          const keys = Object.keys(campaign);
          const keyAt = (at: number) => keys[at % keys.length] ?? '';
          const payload: Record<string, unknown> = { ...campaign, ...added };
          for (const [at, value] of replaced) payload[keyAt(at)] = value;
          for (const at of removed) delete payload[keyAt(at)];
          const cid = Number(campaign['cid']);
          const before = await stored(cid);
          const answer = await request('PUT', `/login/campaigns/${cid}`, JSON.stringify(payload));
          expect([200, 400, 402, 403, 422]).toContain(answer.status);
          if (answer.status === 200) campaigns[which] = await service.campaign(cid);
          else expect(await stored(cid)).toEqual(before);
        },
      ),
      runs(700),
    );
  });

  test('breaks the service: any body for a change of status', async () => {
    const body = fc.oneof(
      odd,
      fc.record({
        ids: fc.oneof(odd, fc.array(fc.oneof(fc.integer(), odd))),
        status: fc.oneof(fc.integer(), odd),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const before = await service.list('?perPage=60&sort=cid');
        const answer = await request('PUT', '/login/campaigns/update-status', JSON.stringify(value));
        expect([400, 404, 422]).toContain(answer.status);
        expect(await service.list('?perPage=60&sort=cid')).toEqual(before);
      }),
      runs(400),
    );
  });

  test('breaks the service: any query', async () => {
    const name = fc.constantFrom(
      'page',
      'perPage',
      'sort',
      'order',
      'query',
      'status',
      'types',
      'types',
      'x',
      '__proto__',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ maxLength: 20 }),
      fc.integer().map(String),
      fc.constantFrom(
        ...sortColumns,
        'asc',
        'desc',
        '"',
        '" OR "',
        '*',
        '^a',
        'a\0b',
        '-',
        'NEAR(a b)',
        'push',
        '\ud83d',
      ),
    );
    const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
        const query = pairs.map(([key, text]) => `${key}=${encoded(text)}`).join('&');
        const answer = await service.send('GET', `/login/campaigns/campaigns?${query}`);
        expect([200, 422]).toContain(answer.status);
      }),
      runs(900),
    );
  });

  test('breaks the service: bytes that are no JSON', async () => {
    const cid = Number(campaigns[0]?.['cid']);
    const before = await stored(cid);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.string().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          const answer = await service.send('PUT', `/login/campaigns/${cid}`, {
            body: new Uint8Array(bytes),
            headers: { 'content-type': 'application/json' },
          });
          expect([400, 422]).toContain(answer.status);
        },
      ),
      runs(300),
    );
    expect(await stored(cid)).toEqual(before);
  });

  test('breaks the service: any path and method over a bare socket', async () => {
    const target = fc
      .string({ unit: fc.constantFrom(...Array.from('/%.?#&=;:@aA0é\\~\u007f')), maxLength: 30 })
      .map((tail) => Buffer.from(`/api/v1/login/campaigns/${tail}`).toString('latin1'));
    const method = fc.constantFrom(
      'GET',
      'PUT',
      'POST',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'TRACE',
      'HEAD',
      'QUERY',
    );
    await fc.assert(
      fc.asyncProperty(method, target, async (verb, path) => {
        const head = `${verb} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nConnection: close\r\n`;
        const answer = await speak(
          service.port,
          Buffer.from(`${head}Authorization: Bearer ${service.credentials.memberToken}\r\n\r\n`, 'latin1'),
        );
        expect([200, 400, 404, 405, 415, 422]).toContain(statusOf(answer));
      }),
      runs(300),
    );
  });

  test('is remembered as a failure of the service', () => {
    expect(service.backend.requestLog().filter(({ status }) => status >= 500)).toEqual([]);
  });
});
