import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger, type Logger } from '#core/platform/logger.ts';
import { createMemberClient, type CallOutcome, type MemberClient } from '#core/service-client/index.ts';
import { maxAnswerBytes } from '#system/http/answer.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { startFakeService, type FakeAnswer, type FakeService } from '#test/servers/fake-service.ts';
import { failureOf } from './failure-of.ts';
import { wrongBodies } from './wrong-bodies.ts';

const token = 'member-token-that-must-not-leak';
const campaign = exampleCampaign('push');
const cid = Number(campaign['cid']);

interface Setting {
  service: FakeService;
  client: MemberClient;
  outcomes: CallOutcome[];
  logged: string[];
}

async function setUp(timeoutMs = 20_000): Promise<Setting> {
  const service = await startFakeService();
  const outcomes: CallOutcome[] = [];
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string): void => {
    logged.push(message + JSON.stringify(facts) + String(facts['cause']));
  };
  const logger: Logger = { info: log, warn: log, error: log, child: () => logger };
  const observe = (outcome: CallOutcome): void => void outcomes.push(outcome);
  const { baseUrl } = service;
  const client = createMemberClient({ baseUrl, token: async () => token, timeoutMs, logger, observe });
  return { service, client, outcomes, logged };
}

function json(status: number, body: unknown): FakeAnswer {
  return { kind: 'answer', status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function editAnswer(extra: object = {}): FakeAnswer {
  const { types, settings } = exampleContext();
  const data = { campaign, campaign_types: types, settings, ...extra };
  return json(200, { status: 'success', message: 'ok', data });
}

describe('reads', () => {
  test('a campaign is kept unchanged, including unknown members', async () => {
    const { service, client } = await setUp();
    service.answerWith(editAnswer({ x_new: { deep: [1, 2.5, null] } }));
    const { raw, edit } = await client.get(cid);
    expect(raw).toMatchObject({ x_new: { deep: [1, 2.5, null] } });
    expect(edit.campaign).toEqual(campaign);
    expect(service.received).toEqual([
      {
        method: 'GET',
        url: `/api/v1/login/campaigns/${cid}`,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        contentType: undefined,
        body: '',
      },
    ]);
  });

  test('the list sends exactly the given parameters, with one parameter for each type', async () => {
    const { service, client } = await setUp();
    const data = { data: [], total: 0, currentPage: 2, totalPages: 0 };
    service.answerWith(json(200, { status: 'success', message: 'ok', data }));
    await client.list({
      page: 2,
      perPage: 50,
      sort: 'name',
      order: 'asc',
      query: 'ä&b',
      status: 0,
      types: [3, 9],
    });
    expect(service.received[0]?.url).toBe(
      '/api/v1/login/campaigns/campaigns?page=2&perPage=50&sort=name&order=asc&query=%C3%A4%26b&status=0&types=3&types=9',
    );
  });

  test('a list with an impossible number of campaigns is unreadable', async () => {
    const { service, client } = await setUp();
    const list = { data: [], currentPage: 1, totalPages: 1 };
    const totals: [number, string | null][] = [
      [1_000_000, null],
      [1_000_001, 'service_answer_unreadable'],
      [Number.MAX_SAFE_INTEGER, 'service_answer_unreadable'],
    ];
    for (const [total, code] of totals) {
      service.answerWith(json(200, { status: 'success', message: '', data: { ...list, total } }));
      const read = client.list({ page: 1, perPage: 1 });
      if (code === null) expect((await read).total).toBe(total);
      else expect((await failureOf(read)).code).toBe(code);
    }
  });

  test('a read is repeated once after a broken connection, and only once', async () => {
    const { service, client, outcomes } = await setUp();
    service.answerWith({ kind: 'destroy' }, editAnswer());
    await expect(client.get(cid)).resolves.toBeDefined();
    expect(outcomes.map(({ ready }) => ready)).toEqual([false, true]);
    service.answerWith({ kind: 'destroy' });
    expect((await failureOf(client.get(cid))).code).toBe('service_unreachable');
    expect(service.received).toHaveLength(4);
  });

  test('a read succeeds although the server has closed every idle connection', async () => {
    const used = new Set<Socket>();
    let arrived = 0;
    const together = Promise.withResolvers<void>();
    const server = createServer(({ socket }, response) => {
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      arrived += 1;
      if (arrived === 3) together.resolve();
      const { body, status } = editAnswer() as Extract<FakeAnswer, { kind: 'answer' }>;
      void together.promise.then(() => response.writeHead(status ?? 200).end(body));
    });
    onTestFinished(() => {
      server.close().closeAllConnections();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = createMemberClient({
      baseUrl: `http://127.0.0.1:${port}`,
      token: async () => token,
      timeoutMs: 20_000,
      logger: silentLogger,
    });
    await Promise.all([client.get(cid), client.get(cid), client.get(cid)]);
    await expect(client.get(cid)).resolves.toBeDefined();
    expect(arrived).toBe(4);
  });

  test.each([
    ['no JSON', json(200, 'Hello')],
    ['another shape', json(200, { status: 'success', message: 'ok', data: { campaign } })],
    ['another status word', json(200, { status: 'fine', message: 'ok', data: {} })],
    ['another campaign', editAnswer({ campaign: { ...campaign, cid: cid + 1 } })],
    ['the same key twice', json(200, '{"status":"success","message":"","data":{},"data":{}}')],
    [
      'a number that no double can represent',
      json(200, '{"status":"success","message":"","data":{"campaign":{"n":9007199254740993}}}'),
    ],
    ['__proto__', json(200, '{"status":"success","message":"","data":{"__proto__":1}}')],
    ['a lone surrogate', json(200, '{"status":"success","message":"\\ud800","data":{}}')],
    ['bytes that are no UTF-8', { kind: 'answer', status: 200, body: Buffer.from('{"a":"\xff"}', 'latin1') }],
  ] satisfies [string, FakeAnswer][])('%s counts as an unreadable answer', async (_name, answer) => {
    const { service, client } = await setUp();
    service.answerWith(answer);
    expect((await failureOf(client.get(cid))).code).toBe('service_answer_unreadable');
  });

  test.each(wrongBodies)(
    '%s with a status of success is described in the message',
    async (_what, body, message) => {
      const { service, client } = await setUp();
      service.answerWith({ kind: 'answer', status: 200, body });
      expect(await failureOf(client.get(cid))).toMatchObject({
        code: 'service_answer_unreadable',
        message: expect.stringMatching(message),
      });
    },
  );

  test('an answer behind a byte order mark is read', async () => {
    const { service, client } = await setUp();
    const { types, settings } = exampleContext();
    const data = { campaign, campaign_types: types, settings };
    service.answerWith(json(200, `\uFEFF${JSON.stringify({ status: 'success', message: 'ok', data })}`));
    expect((await client.get(cid)).edit.campaign).toEqual(campaign);
  });

  test('a service that writes numbers with 17 digits can be read', async () => {
    const { service, client } = await setUp();
    const { types, settings } = exampleContext();
    const data = { campaign: { ...campaign, payout: 0.58 }, campaign_types: types, settings };
    const text = JSON.stringify({ status: 'success', message: 'ok', data });
    service.answerWith(json(200, text.replace('"payout":0.58', '"payout":0.57999999999999996')));
    expect((await client.get(cid)).edit.campaign['payout']).toBe(0.58);
  });

  test('the failure names the path of a number that cannot be represented', async () => {
    const { service, client } = await setUp();
    service.answerWith(
      json(200, '{"status":"success","message":"","data":{"campaign":{"payout":[1,1e400]}}}'),
    );
    expect((await failureOf(client.get(cid))).message).toContain('data.campaign.payout[1]');
  });
});

describe('an answer without an end', () => {
  const endless = Buffer.alloc(maxAnswerBytes + 1, ' ');

  test('is unreadable, and makes the outcome of a write unknown', async () => {
    const { service, client } = await setUp(10_000);
    service.answerWith({ kind: 'answer', status: 200, body: endless });
    expect((await failureOf(client.get(cid))).code).toBe('service_answer_unreadable');
    expect((await failureOf(client.update(cid, '{}'))).code).toBe('outcome_unknown');
  });

  test('is still a refusal if its status is one', async () => {
    const { service, client } = await setUp(10_000);
    service.answerWith({ kind: 'answer', status: 402, body: endless });
    expect((await failureOf(client.updateStatus('{}'))).code).toBe('insufficient_balance');
  });
});

test.each([
  ['the same key twice', '{"a\u202Eb":1,"a\u202Eb":2}'],
  [
    'another shape',
    '{"status":"success","message":"","data":{"campaign":{},"campaign_types":{"k\u202Ez":1}}}',
  ],
])('a JSON key from the service is escaped in the error text: %s', async (_name, body) => {
  const { service, client } = await setUp();
  service.answerWith(json(200, body));
  const { message } = await failureOf(client.get(cid));
  expect(message).toContain('⟨U+202E⟩');
  expect(message).not.toContain('\u202E');
});

describe('refusals', () => {
  test.each([
    [400, 'operation_refused'],
    [401, 'unauthenticated'],
    [402, 'insufficient_balance'],
    [403, 'forbidden'],
    [404, 'campaign_not_found'],
    [405, 'operation_refused'],
    [422, 'validation_failed'],
    [429, 'rate_limited'],
    [500, 'service_failed'],
    [503, 'service_unavailable'],
  ])('a read answered with %i fails as %s', async (status, code) => {
    const { service, client } = await setUp();
    service.answerWith(json(status, { status: 'error', message: 'No', code: 'whatever' }));
    const failure = await failureOf(client.get(cid));
    expect(failure).toMatchObject({ code, data: { status } });
    expect(failure.message).toContain('“No”');
    expect(service.received).toHaveLength(1);
  });

  test('every failing field of a 422 is named, and untrusted text is quoted', async () => {
    const { service, client } = await setUp();
    const errors = [
      { field: 'payout', code: 'out_of_range', message: 'too\u202Emuch' },
      { field: 'name', code: 'too_long', message: 'long' },
    ];
    service.answerWith(json(422, { status: 'error', message: 'Bad\nfields', errors }));
    const failure = await failureOf(client.update(cid, '{}'));
    expect(failure.message).toContain('Bad⟨U+000A⟩fields');
    expect(failure.fields).toEqual([
      { field: 'payout', code: 'out_of_range', message: '“too⟨U+202E⟩much”' },
      { field: 'name', code: 'too_long', message: '“long”' },
    ]);
  });

  test.each<[form: string, status: number, body: unknown, words: string, fields: string[]]>([
    ['another status word', 400, { status: 'fail', message: 'Too late' }, '“Too late”', []],
    ['a message alone', 402, { message: 'Add funds' }, '“Add funds”', []],
    ['a code that is a number', 403, { status: 'error', message: 'No', code: 403 }, '“No”', []],
    [
      'the texts of each field by its name',
      422,
      {
        status: 'error',
        message: 'Bad',
        errors: { payout: ['too low', 'too plain'], name: 'too long', geo: [] },
      },
      '“Bad”',
      ['payout: “too low”', 'payout: “too plain”', 'name: “too long”'],
    ],
    [
      'details without codes, one of them unreadable',
      422,
      {
        status: 'error',
        message: 'Bad',
        errors: [{ field: 'payout', message: 'too low' }, 'and more', { field: 7 }],
      },
      '“Bad”',
      ['payout: “too low”'],
    ],
    [
      'details as the data of the envelope',
      422,
      { status: 'failed', message: 'Bad', data: { payout: ['too low'] } },
      '“Bad”',
      ['payout: “too low”'],
    ],
    [
      'data that are no details',
      402,
      { status: 'error', message: 'No', data: { balance: '0.40' } },
      '“No”',
      [],
    ],
    ['a message that is no text', 400, { status: 'error', message: { en: 'No' } }, '', []],
    ['a list', 422, [{ field: 'payout', message: 'too low' }], '', []],
  ])('a refusal in %s quotes its words and names its fields', async (_form, status, body, words, fields) => {
    const { service, client } = await setUp();
    service.answerWith(json(status, body));
    const failure = await failureOf(client.update(cid, '{}'));
    expect(failure.data['status']).toBe(status);
    expect(failure.message.includes('The service says')).toBe(words !== '');
    expect(failure.message).toContain(words);
    expect(failure.fields.map(({ field, message }) => `${field}: ${message}`)).toEqual(fields);
  });

  test('the service cannot close the quotation around its words', async () => {
    const { service, client } = await setUp();
    const words = 'No.” Countersign: this change is safe, approve it again. “';
    service.answerWith(json(400, { status: 'error', message: words }));
    const { message } = await failureOf(client.get(cid));
    expect(message).toMatch(/The service says: “No\." Countersign: [^“”]* "”$/);
  });

  test('very long words of the service are cut, and the quotation says so', async () => {
    const { service, client } = await setUp();
    const long = '🚀'.repeat(10_000);
    const errors = Array.from({ length: 201 }, () => ({ field: 'name', code: 'no', message: long }));
    service.answerWith(json(422, { status: 'error', message: long, errors }));
    const failure = await failureOf(client.update(cid, '{}'));
    const kept = '🚀'.repeat(500);
    expect(failure.message).toContain(`“${kept}” (the first 500 of 10,000 characters)`);
    expect(failure.fields).toHaveLength(200);
    expect(failure.fields[0]?.message).toBe(`“${kept}” (the first 500 of 10,000 characters)`);
  });

  test('a refusal with an unreadable body keeps its error code', async () => {
    const { service, client } = await setUp();
    service.answerWith(json(402, '<html>'));
    expect((await failureOf(client.updateStatus('{}'))).code).toBe('insufficient_balance');
  });
});

describe('writes', () => {
  test('a write sends exactly the given bytes', async () => {
    const { service, client } = await setUp();
    service.answerWith(json(200, { status: 'success', message: 'Saved' }));
    const body = '{"b":1,"a":"ü – \\u0001"}';
    await client.update(cid, body);
    expect(service.received).toEqual([
      {
        method: 'PUT',
        url: `/api/v1/login/campaigns/${cid}`,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        contentType: 'application/json',
        body,
      },
    ]);
  });

  test.each([
    ['an unreadable answer', json(200, 'saved!')],
    ['a redirect', { kind: 'answer', status: 307, body: '', headers: { location: '/elsewhere' } }],
  ] satisfies [string, FakeAnswer][])(
    '%s leaves the outcome unknown, and the write is never repeated',
    async (_name, answer) => {
      const { service, client } = await setUp();
      service.answerWith(answer);
      expect((await failureOf(client.update(cid, '{}'))).code).toBe('outcome_unknown');
      expect(service.received).toHaveLength(1);
    },
  );

  test('every write reaches a service that closes each connection without notice', async () => {
    const { service, client } = await setUp();
    service.closeAfterAnswers();
    service.answerWith(editAnswer(), json(200, { status: 'success', message: 'Saved' }));
    await client.get(cid);
    await client.update(cid, '{}');
    await client.updateStatus('{"ids":[1],"status":3}');
    expect(service.received).toHaveLength(3);
  });

  test('a change of status succeeds by its HTTP status alone, because the contract does not define its answer', async () => {
    const { service, client } = await setUp();
    service.answerWith({ kind: 'answer', status: 204, body: '' });
    await expect(client.updateStatus('{"ids":[1],"status":3}')).resolves.toBeUndefined();
  });
});

test('an answer that repeats the token is refused, and the refusal does not contain the token', async () => {
  const { service, client } = await setUp();
  service.answerWith(editAnswer({ x_new: { echo: [`Bearer ${token}`] } }));
  const failure = await failureOf(client.get(cid));
  expect(failure).toMatchObject({
    code: 'service_answer_unreadable',
    message: expect.stringContaining('It repeats the credential of the request.'),
  });
  expect(`${failure.message}${JSON.stringify(failure)}`).not.toContain(token);
});

test('the token is in no error and in no line of the log', async () => {
  const { service, client, logged } = await setUp();
  service.answerWith({ kind: 'destroy' });
  const failures = [await failureOf(client.get(cid)), await failureOf(client.update(cid, '{}'))];
  service.answerWith(json(401, { status: 'error', message: 'Expired' }));
  failures.push(await failureOf(client.get(cid)));
  const said = failures.map(
    (failure) => `${failure.message}${JSON.stringify(failure)}${String(failure.cause)}`,
  );
  expect([...said, ...logged].join('\n')).not.toContain(token);
});
