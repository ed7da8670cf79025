import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { page, readAddress } from './page.ts';
import { serveFakeCore, type Served } from './served.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFakeCore();
});
afterAll(() => served.dispose());

describe('a ticket for the app’s page', () => {
  test('is in the fragment of the address, which browsers do not send', () => {
    expect(served.address()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]{43}$/);
  });

  test('can be exchanged once', async () => {
    const { origin, ticket } = readAddress(served.address());
    const first = await page(origin).post('/session', { ticket });
    const second = await page(origin).post('/session', { ticket });
    expect(first).toMatchObject({ status: 200, body: { secret: expect.any(String) } });
    expect(second).toMatchObject({ status: 401, body: { error: { code: 'not_signed_in' } } });
  });

  test('gives every page its own secret', async () => {
    const secrets = await Promise.all(
      [served.address(), served.address()].map(async (address) => {
        const { origin, ticket } = readAddress(address);
        return (await page(origin).post('/session', { ticket })).body.secret;
      }),
    );
    expect(new Set(secrets).size).toBe(2);
  });

  test('is valid for ten minutes', async () => {
    const [early, late] = [served.address(), served.address()].map(readAddress);
    if (!early || !late) throw new Error('two addresses');
    served.pass(10 * 60_000 - 1);
    expect((await page(early.origin).post('/session', { ticket: early.ticket })).status).toBe(200);
    served.pass(1);
    expect((await page(late.origin).post('/session', { ticket: late.ticket })).status).toBe(401);
  });

  test.each([
    ['a made-up ticket', { ticket: 'x'.repeat(43) }, 401, 'not_signed_in'],
    ['no ticket', {}, 400, 'bad_input'],
    ['a number as a ticket', { ticket: 1 }, 400, 'bad_input'],
    ['something that is not JSON', '{', 400, 'json_invalid'],
    ['a ticket given twice', '{"ticket":"a","ticket":"b"}', 400, 'json_duplicate_key'],
  ])('is refused if it is %s', async (_name, body, status, code) => {
    expect(await page(served.appOrigin).post('/session', body)).toMatchObject({
      status,
      body: { error: { code } },
    });
  });
});

describe('a request of the app API', () => {
  test('is answered with its output', async () => {
    const app = await served.signIn();
    expect(await app.post('/api/session.get', {})).toMatchObject({
      status: 200,
      body: { output: { host: 'browser', profile: { kind: 'demo' } } },
    });
  });

  test.each([
    ['no secret', undefined],
    ['a made-up secret', 'y'.repeat(43)],
    ['an empty secret', ''],
  ])('is refused with %s', async (_name, secret) => {
    const answer = await page(served.appOrigin, secret).post('/api/session.get', {});
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'not_signed_in' } } });
  });

  test.each([
    ['an unknown request', '/api/nothing', {}, 404, 'not_found'],
    ['a name of a JavaScript member', '/api/constructor', {}, 404, 'not_found'],
    ['a decision, which this API does not have', '/api/decide', {}, 404, 'not_found'],
    [
      'the decision request of the confirmation origin',
      '/confirmation/decide',
      {},
      405,
      'method_not_allowed',
    ],
    ['invalid input', '/api/campaigns.get', { cid: 'seven' }, 400, 'bad_input'],
    ['a body that is not JSON', '/api/campaigns.get', 'cid=7', 400, 'json_invalid'],
    [
      'a body over a mebibyte',
      '/api/campaigns.get',
      `"${'x'.repeat(1024 * 1024)}"`,
      413,
      'payload_too_large',
    ],
    ['an expected failure', '/api/campaigns.get', { cid: 7 }, 502, 'service_unreachable'],
  ])('is refused and named for %s', async (_name, path, body, status, code) => {
    const app = await served.signIn();
    expect(await app.post(path, body)).toMatchObject({ status, body: { error: { code } } });
  });

  test('is refused with every invalid field', async () => {
    const app = await served.signIn();
    const { body } = await app.post('/api/campaigns.proposeStatus', { cids: [1, 'x'], status: 9 });
    expect(body.error?.fields.map(({ field }) => field)).toEqual(['cids[1]', 'status']);
  });

  test('that causes a bug is answered without details', async () => {
    const app = await served.signIn();
    const { status, body } = await app.post('/api/session.status', {});
    expect({ status, code: body.error?.code }).toEqual({ status: 500, code: 'internal' });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('with another content type is refused, so that no form can send it', async () => {
    const app = await served.signIn();
    const answer = await app.post('/api/session.get', '{}', { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status: 415, body: { error: { code: 'unsupported_media_type' } } });
  });

  test('from a foreign origin is refused even with the secret', async () => {
    const app = await served.signIn();
    const answer = await app.post('/api/session.get', {}, { origin: 'http://127.0.0.1:1' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
  });
});
