import { patienceMs } from '../../../../scripts/lib/test-settings.ts';
import { describe, expect, test } from 'vitest';
import type { CallOutcome, RemoteAccess } from '#core/service-client/index.ts';
import type { Protocol } from '#core/service-client/remote/session.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { catalogue } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  cut,
  failureOf,
  fixedAccess,
  giveJson,
  giveResult,
  inTurn,
  openClient,
  openEvents,
  protocolMemory,
  refuse,
  silence,
  startFakeMcp,
  type Answer,
} from './fake-mcp.ts';

const stepUp = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="svc:read svc:write"' };

function rpcError(code: number, message: string): Answer {
  return (response, { id }) => giveJson(response, { jsonrpc: '2.0', id, error: { code, message } });
}

interface Row {
  answer: Answer;
  /** The code for a list. The code for a call is the same unless `call` names another. */
  list: string;
  call?: string;
  data?: JsonObject;
}

const refusals: Record<string, Row> = {
  'HTTP 400': { answer: refuse(400), list: 'tool_refused', data: { status: 400 } },
  'HTTP 403': { answer: refuse(403), list: 'forbidden' },
  'HTTP 403, a scope is missing': {
    answer: refuse(403, stepUp),
    list: 'scope_needed',
    data: { status: 403, scope: 'svc:read svc:write' },
  },
  'HTTP 403, a scope is missing and not named': {
    answer: refuse(403, { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
    list: 'scope_needed',
    data: { status: 403, scope: null },
  },
  'HTTP 405': { answer: refuse(405), list: 'protocol_failed' },
  'HTTP 409': { answer: refuse(409), list: 'tool_refused', data: { status: 409 } },
  'HTTP 421': { answer: refuse(421), list: 'wrong_host' },
  'HTTP 422': { answer: refuse(422), list: 'tool_refused' },
  'HTTP 429': {
    answer: refuse(429, { 'retry-after': '7' }),
    list: 'rate_limited',
    data: { status: 429, retryAfterSeconds: 7 },
  },
  'HTTP 500': { answer: refuse(500), list: 'service_failed', call: 'outcome_unknown' },
  'HTTP 502': { answer: refuse(502, {}, '<html>'), list: 'service_failed', call: 'outcome_unknown' },
  'HTTP 503': { answer: refuse(503), list: 'service_unavailable', data: { status: 503 } },
  'a redirect': {
    answer: refuse(307, { location: '/elsewhere' }),
    list: 'service_unreachable',
    call: 'outcome_unknown',
  },
  'a cut connection': { answer: cut, list: 'service_unreachable', call: 'outcome_unknown' },
  'half an answer': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' });
      response.write('{"jsonrpc":', () => response.destroy());
    },
    list: 'service_unreachable',
    call: 'outcome_unknown',
  },
  'a stream that ends without the answer': {
    answer: (response) => {
      openEvents(response);
      response.end(': nothing\n\n');
    },
    list: 'service_unreachable',
    call: 'outcome_unknown',
  },
  'JSON-RPC: bad parameters': {
    answer: rpcError(-32602, 'No'),
    list: 'tool_refused',
    data: { rpcCode: -32602, ownWords: catalogue.tool_refused.text },
  },
  'JSON-RPC: no such object': { answer: rpcError(-32002, 'No'), list: 'object_not_found' },
  'JSON-RPC: no such method': { answer: rpcError(-32601, 'No'), list: 'protocol_failed' },
  'JSON-RPC: an internal error': {
    answer: rpcError(-32603, 'No'),
    list: 'service_failed',
    call: 'outcome_unknown',
  },
  'JSON-RPC: an undefined server error': {
    answer: rpcError(-32001, 'No'),
    list: 'tool_refused',
    call: 'outcome_unknown',
  },
  'JSON-RPC: the session ended before the answer': {
    answer: rpcError(-32000, 'No'),
    list: 'tool_refused',
    call: 'outcome_unknown',
    data: { rpcCode: -32000, ownWords: catalogue.tool_refused.text, sent: true },
  },
  'JSON-RPC: an address to visit first': { answer: rpcError(-32042, 'No'), list: 'tool_refused' },
  'JSON-RPC: a code of the application': { answer: rpcError(1001, 'No'), list: 'tool_refused' },
  'no JSON': { answer: answerText('{'), list: 'service_answer_unreadable', call: 'outcome_unknown' },
  'no message': { answer: answerText('{"a":1}'), list: 'service_answer_unreadable', call: 'outcome_unknown' },
  'a repeated key': {
    answer: answerText('{"jsonrpc":"2.0","id":1,"result":{"tools":[],"tools":[]}}'),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  '`__proto__`': {
    answer: answerText('{"jsonrpc":"2.0","id":1,"result":{"tools":[],"__proto__":{"polluted":true}}}'),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  'a number that cannot be represented': {
    answer: answerText('{"jsonrpc":"2.0","id":1,"result":{"tools":[],"n":9007199254740993}}'),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  'nesting without end': {
    answer: answerText(`{"jsonrpc":"2.0","id":1,"result":{"tools":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  'a result that is no object': {
    answer: giveResult([]),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  'the answer of another request': {
    answer: (response) => giveJson(response, { jsonrpc: '2.0', id: 4711, result: {} }),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
  'an unexpected media type': {
    answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    list: 'service_answer_unreadable',
    call: 'outcome_unknown',
  },
};

function answerText(text: string): Answer {
  return (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

describe.each<[version: string, protocol: Protocol]>([
  ['2025-11-25', 'initialized'],
  ['2026-07-28', 'stateless'],
])('a refusal of a service that speaks MCP %s has its own error code:', (version, protocol) => {
  test.each(Object.entries(refusals))('%s', async (_what, { answer, list, call = list, data }) => {
    const fake = await startFakeMcp({
      'server/discover': giveResult({ supportedVersions: [version], capabilities: {} }),
      'tools/list': answer,
      'tools/call': answer,
    });
    const client = openClient(fake.mcpUrl, { protocol: protocolMemory(protocol) });
    expect(await client.protocolVersion()).toBe(version);
    const listing = await failureOf(client.listTools());
    expect(listing.code).toBe(list);
    if (data !== undefined) expect(listing.data).toEqual(data);

    const calling = await failureOf(client.callTool('svc_commit', {}));
    expect(calling.code).toBe(call);
    // A call is sent once, whatever its outcome.
    expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

test('a read is repeated once after a broken connection, and a call never', async () => {
  const fake = await startFakeMcp({
    'tools/list': inTurn(cut, giveResult({ tools: [{ name: 'one' }] })),
    'tools/call': inTurn(cut, giveResult({ content: [] })),
  });
  const client = openClient(fake.mcpUrl);
  expect(await client.listTools()).toEqual([{ name: 'one' }]);
  expect((await failureOf(client.callTool('svc_commit', {}))).code).toBe('outcome_unknown');
  expect(fake.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('after a restart of the service a read uses no connection from before the restart', async () => {
  const earlier = new Set<unknown>();
  let isAgain = false;
  const usual = giveResult({ tools: [{ name: 'one' }] });
  const fake = await startFakeMcp({
    'tools/list': (response, received) => {
      const { socket } = response;
      if (isAgain && earlier.has(socket)) return void response.destroy();
      if (!isAgain) earlier.add(socket);
      usual(response, received);
    },
  });
  const client = openClient(fake.mcpUrl);
  await client.supportsCompletion();
  await Promise.all([client.listTools(), client.listTools(), client.listTools()]);
  expect(earlier.size).toBeGreaterThan(1);
  isAgain = true;
  expect(await client.listTools()).toEqual([{ name: 'one' }]);
});

test('a closed port: a call was certainly not sent', async () => {
  const fake = await startFakeMcp();
  const client = openClient('http://127.0.0.1:1');
  expect((await failureOf(client.callTool('svc_commit', {}))).code).toBe('service_unreachable');
  const known = openClient(fake.mcpUrl);
  await known.supportsCompletion();
  expect(fake.methods().slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
});

test.each<[what: string, answer: Answer, code: string]>([
  ['404: there is no endpoint', refuse(404), 'protocol_failed'],
  ['400', refuse(400), 'protocol_failed'],
  ['401, and nothing to renew', refuse(401), 'sign_in_needed'],
  ['421', refuse(421), 'wrong_host'],
  [
    'an unknown version of the protocol',
    giveResult({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } }),
    'protocol_failed',
  ],
  ['an empty result', giveResult({}), 'service_answer_unreadable'],
])(
  'a session that cannot begin (%s) fails every waiting call, and the next call tries again',
  async (_what, answer, code) => {
    const fake = await startFakeMcp({ initialize: answer });
    const renew = async () => 'token-2';
    const client = openClient(fake.mcpUrl, { access: { token: async () => 'token-1', renew } });
    const [first, second] = await Promise.all([
      failureOf(client.listTools()),
      failureOf(client.callTool('x', {})),
    ]);
    expect([first.code, second.code]).toEqual([code, code]);
    delete fake.answers['initialize'];
    expect(await client.listTools()).toEqual([]);
  },
);

test('401: the token is renewed once, and the request is repeated once, even a call', async () => {
  const asked: string[] = [];
  const access: RemoteAccess = {
    token: async () => asked.at(-1) ?? 'old',
    renew: async (refused) => {
      asked.push(`${refused}-renewed`);
      return `${refused}-renewed`;
    },
  };
  const fake = await startFakeMcp({ 'tools/call': inTurn(refuse(401), giveResult({ content: [] })) });
  const client = openClient(fake.mcpUrl, { access });
  await client.callTool('svc_commit', { one: 1 });
  const calls = fake.received.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer old-renewed']);
  expect(calls[0]?.params).toEqual(calls[1]?.params);
  expect(calls[0]?.id).toBe(calls[1]?.id);

  fake.answers['tools/call'] = refuse(401);
  expect((await failureOf(client.callTool('svc_commit', {}))).code).toBe('sign_in_needed');
  expect(fake.received.filter(({ method }) => method === 'tools/call')).toHaveLength(4);
});

test('404 within a session: a new session begins, and the request is repeated once', async () => {
  let sessions = 0;
  const begin: Answer = (response, received) => {
    sessions += 1;
    response.setHeader('mcp-session-id', `session-${sessions}`);
    giveResult({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } })(
      response,
      received,
    );
  };
  const fake = await startFakeMcp({
    initialize: begin,
    'tools/call': inTurn(refuse(404), giveResult({ content: [] })),
  });
  const client = openClient(fake.mcpUrl);
  expect(await client.callTool('svc_commit', {})).toEqual({ content: [] });
  const calls = fake.received.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1', 'session-2']);

  // A service may answer 404 to every unknown object. The client repeats such a call only once.
  fake.answers['tools/call'] = refuse(404, {}, { message: 'No such campaign' });
  const failure = await failureOf(client.callTool('svc_commit', {}));
  expect([failure.code, failure.message]).toEqual([
    'object_not_found',
    'There is nothing under this name or id for the account. The service says: “No such campaign”',
  ]);
  expect(sessions).toBe(3);
});

test('the service’s words are quoted, without any secret', async () => {
  const token = 'planted-7f3a9c';
  const words = `Token ${token} is \u202Ebad\u202C\n<b>now</b>`;
  const logged: unknown[] = [];
  const log = (facts: unknown, message: string): void => void logged.push([facts, message]);
  const logger = { info: log, warn: log, error: log, child: () => logger };
  for (const body of [
    { message: words },
    { error: { code: 1, message: words } },
    { error: 'x', error_description: words },
  ]) {
    const challenge = `Bearer error="insufficient_scope", scope="svc:read ${token}"`;
    const fake = await startFakeMcp({
      'tools/list': refuse(403, {}, body),
      'tools/call': inTurn(cut, refuse(403, { 'www-authenticate': challenge })),
    });
    const client = openClient(fake.mcpUrl, { access: fixedAccess(token), logger });
    const failure = await failureOf(client.listTools());
    expect(failure.message).toMatch(
      /^The account may not do this\. The service says: “Token \[redacted\] is /,
    );
    expect(failure.message).not.toMatch(/[\u202E\n]/);
    const lost = await failureOf(client.callTool('x', {}));
    const uncovered = await failureOf(client.callTool('x', {}));
    expect(uncovered.message).toContain('“svc:read [redacted]”');
    fake.answers['tools/call'] = rpcError(-32602, words);
    const refused = await failureOf(client.callTool('x', {}));
    expect(refused.message).toContain('“Token [redacted] is ');
    const shown = [failure, lost, uncovered, refused].flatMap((one) => [
      one.message,
      String(one.cause),
      JSON.stringify(one),
    ]);
    expect(shown.join('\n')).not.toContain(token);
  }
  expect(logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(logged)).not.toContain(token);
});

test('the state of the service is reported for every request that was sent', async () => {
  const outcomes: CallOutcome[] = [];
  const fake = await startFakeMcp({
    'tools/list': inTurn(refuse(503), refuse(403), giveResult({ tools: [] })),
    'tools/call': cut,
  });
  const client = openClient(fake.mcpUrl, { observe: (outcome) => void outcomes.push(outcome) });
  await client.supportsCompletion();
  outcomes.length = 0;
  await failureOf(client.listTools());
  await failureOf(client.listTools());
  await client.listTools();
  await failureOf(client.callTool('x', {}));
  expect(outcomes.map(({ ready }) => ready)).toEqual([false, true, true, false]);
  expect(outcomes.every(({ latencyMs }) => latencyMs >= 0)).toBe(true);
});

test('an answer larger than the limit is not read to its end', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  let written = 0;
  const pour = (response: Parameters<Answer>[0]): void => {
    if (response.destroyed) return;
    written += 1;
    if (written > 200) response.end();
    else if (response.write(megabyte)) setImmediate(pour, response);
    else response.once('drain', () => pour(response));
  };
  const fake = await startFakeMcp({
    'tools/list': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      pour(response);
    },
  });
  const client = openClient(fake.mcpUrl, { timeoutMs: patienceMs });
  expect((await failureOf(client.listTools())).code).toBe('service_answer_unreadable');
  expect(written).toBeLessThan(100);
});

test('a request without an answer fails at the deadline', async () => {
  const fake = await startFakeMcp({ 'tools/list': silence, 'tools/call': silence });
  const clock = createManualClock();
  const timeoutMs = 10_000;
  const client = openClient(fake.mcpUrl, { timeoutMs, pauses: { clock, random: () => 0 } });
  const listing = failureOf(client.listTools());
  await fake.came('tools/list');
  clock.advance(timeoutMs);
  expect((await listing).code).toBe('service_unreachable');
  const calling = failureOf(client.callTool('x', {}));
  await fake.came('tools/call');
  clock.advance(timeoutMs);
  expect((await calling).code).toBe('outcome_unknown');
});

test('a bug is not reported as a failure of the service', async () => {
  const fake = await startFakeMcp();
  const bug = new TypeError('planted');
  const access = { token: async () => 'token-1', renew: () => Promise.reject(bug) };
  fake.answers['tools/call'] = refuse(401);
  expect(await failureOf(openClient(fake.mcpUrl, { access }).callTool('x', {}))).toBe(bug);
});
