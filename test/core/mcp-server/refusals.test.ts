import { createConnection } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openEndpoint } from './open-endpoint.ts';
import type { OpenEndpoint, SendOptions } from './open-endpoint.ts';

let endpoint: OpenEndpoint;
/** A session of `alice` in the latest version. */
let session: string;
/** A session of `alice` in the last version with batches. */
let oldSession: string;
let admitted: string[];

const limits = { maxBodyBytes: 4096, maxBatch: 3 };

beforeAll(async () => {
  admitted = [];
  endpoint = await openEndpoint({
    limits,
    parts: {
      admit(_caller, { method, params }) {
        admitted.push(method);
        if (params['name'] === 'secret')
          throw new AppError('scope_missing', { data: { scope: 'svc:read svc:write' } });
        if (params['name'] === 'often')
          throw new AppError('quota_exceeded', { data: { retryAfterSeconds: 7 } });
        if (params['name'] === 'down')
          throw new AppError('not_ready', { message: 'The file /var/x is gone.' });
        if (params['name'] === 'bug') throw new Error('The password is swordfish.');
      },
    },
  });
  session = await endpoint.initialize();
  oldSession = await endpoint.initialize({ protocolVersion: '2025-03-26' });
});

afterAll(() => endpoint.dispose());

const initialize: JsonObject = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const list: JsonObject = { jsonrpc: '2.0', id: 'x', method: 'tools/list' };
const call = (name: string): JsonObject => ({ ...list, method: 'tools/call', params: { name } });
const lists = (count: number): JsonObject[] => Array.from({ length: count }, (_, id) => ({ ...list, id }));

/** Requests, each with the HTTP status, our code and the JSON-RPC code of its refusal. */
type Row = [
  name: string,
  sending: SendOptions | (() => SendOptions),
  status: number,
  code: string,
  rpc: number,
];

const inSession =
  (body: SendOptions['body'], more: SendOptions = {}) =>
  (): SendOptions => ({
    session,
    ...(body === undefined ? {} : { body }),
    ...more,
  });
const text = (json: string) => (): SendOptions => ({ session, text: json });

const rows: Row[] = [
  ['PUT', { method: 'PUT', body: list }, 405, 'method_not_allowed', -32000],
  ['OPTIONS', { method: 'OPTIONS' }, 405, 'method_not_allowed', -32000],
  [
    'PUT without a token, because of its method',
    { method: 'PUT', token: null },
    405,
    'method_not_allowed',
    -32000,
  ],
  ['no token', { token: null, body: list }, 401, 'token_invalid', -32000],
  ['an unknown token', { token: 'nobody', body: list }, 401, 'token_invalid', -32000],
  ['no token on GET', { token: null, method: 'GET' }, 401, 'token_invalid', -32000],
  ['no token on DELETE', { token: null, method: 'DELETE' }, 401, 'token_invalid', -32000],
  [
    'no token and a wrong content type, because of the token',
    { token: null, headers: { 'content-type': 'text/plain' } },
    401,
    'token_invalid',
    -32000,
  ],
  [
    'no content type',
    inSession(undefined, { text: new Uint8Array([123, 125]), headers: { 'content-type': null } }),
    415,
    'unsupported_media_type',
    -32000,
  ],
  [
    'a text body',
    inSession(list, { headers: { 'content-type': 'text/plain' } }),
    415,
    'unsupported_media_type',
    -32000,
  ],
  [
    'a form body',
    inSession(list, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    415,
    'unsupported_media_type',
    -32000,
  ],
  [
    'another charset',
    inSession(list, { headers: { 'content-type': 'application/json; charset=utf-16' } }),
    415,
    'unsupported_media_type',
    -32000,
  ],
  [
    'a compressed body',
    inSession(list, { headers: { 'content-encoding': 'gzip' } }),
    415,
    'unsupported_media_type',
    -32000,
  ],
  ['accepting any type', inSession(list, { headers: { accept: '*/*' } }), 406, 'not_acceptable', -32000],
  [
    'accepting only JSON',
    inSession(list, { headers: { accept: 'application/json' } }),
    406,
    'not_acceptable',
    -32000,
  ],
  [
    'accepting only streams',
    inSession(list, { headers: { accept: 'text/event-stream' } }),
    406,
    'not_acceptable',
    -32000,
  ],
  [
    'excluding streams',
    inSession(list, { headers: { accept: 'application/json, text/event-stream;q=0' } }),
    406,
    'not_acceptable',
    -32000,
  ],
  [
    'a GET that accepts JSON',
    () => ({ session, method: 'GET', headers: { accept: 'application/json' } }),
    406,
    'not_acceptable',
    -32000,
  ],
  [
    'an unknown version',
    inSession(list, { headers: { 'mcp-protocol-version': '2099-01-01' } }),
    400,
    'bad_request',
    -32000,
  ],
  [
    'an empty version',
    inSession(list, { headers: { 'mcp-protocol-version': '' } }),
    400,
    'bad_request',
    -32000,
  ],
  ['an unknown session', { session: 'made-up', body: list }, 404, 'session_unknown', -32001],
  ['an empty session', { session: '', body: list }, 404, 'session_unknown', -32001],
  [
    'the session of another principal',
    () => ({ session, token: 'bob', body: list }),
    404,
    'session_unknown',
    -32001,
  ],
  ['two sessions', () => ({ session: `${session}, ${session}`, body: list }), 404, 'session_unknown', -32001],
  [
    'an unknown session with an invalid body, because of the session',
    { session: 'made-up', text: '{' },
    404,
    'session_unknown',
    -32001,
  ],
  ['GET without a session', { method: 'GET' }, 400, 'bad_request', -32000],
  [
    'GET of another principal’s session',
    () => ({ session, token: 'bob', method: 'GET' }),
    404,
    'session_unknown',
    -32001,
  ],
  ['DELETE without a session', { method: 'DELETE' }, 400, 'bad_request', -32000],
  [
    'DELETE of another principal’s session',
    () => ({ session, token: 'bob', method: 'DELETE' }),
    404,
    'session_unknown',
    -32001,
  ],
  ['a request without a session', { body: list }, 400, 'bad_request', -32000],
  [
    'a notification without a session',
    { body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    400,
    'bad_request',
    -32000,
  ],
  ['a body that is too large', text(`{"x":"${'y'.repeat(4096)}"}`), 413, 'payload_too_large', -32000],
  ['no body', () => ({ session }), 400, 'json_invalid', -32700],
  ['a truncated body', text('{"jsonrpc":'), 400, 'json_invalid', -32700],
  [
    'bytes that are not UTF-8',
    () => ({ session, text: new Uint8Array([34, 255, 34]) }),
    400,
    'json_invalid',
    -32700,
  ],
  [
    'a duplicate key',
    text('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'),
    400,
    'json_duplicate_key',
    -32700,
  ],
  [
    'a duplicate key deep in the arguments',
    text(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"\\u0061":2}}}',
    ),
    400,
    'json_duplicate_key',
    -32700,
  ],
  [
    '__proto__',
    text('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}'),
    400,
    'json_forbidden_key',
    -32700,
  ],
  [
    '2^53 + 1',
    text('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":9007199254740993}}'),
    400,
    'json_number_inexact',
    -32700,
  ],
  [
    'a lone surrogate',
    text('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"s":"\\ud800"}}'),
    400,
    'json_lone_surrogate',
    -32700,
  ],
  [
    '65 levels of nesting',
    text(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"d":${'['.repeat(63)}${']'.repeat(63)}}}`),
    400,
    'json_too_deep',
    -32700,
  ],
  ['a text as a message', text('"ping"'), 400, 'bad_input', -32600],
  ['null', text('null'), 400, 'bad_input', -32600],
  ['another JSON-RPC version', inSession({ ...list, jsonrpc: '1.0' }), 400, 'bad_input', -32600],
  ['neither a method nor a result', inSession({ jsonrpc: '2.0', id: 1 }), 400, 'bad_input', -32600],
  ['an id of null', inSession({ ...list, id: null }), 400, 'bad_input', -32600],
  ['a fractional id', inSession({ ...list, id: 1.5 }), 400, 'bad_input', -32600],
  ['params that are a list', inSession({ ...list, params: [] }), 400, 'bad_input', -32600],
  ['a method that is not a text', inSession({ ...list, method: 1 }), 400, 'bad_input', -32600],
  ['an additional key', inSession({ ...list, extra: true }), 400, 'bad_input', -32600],
  [
    'both a result and an error',
    inSession({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }),
    400,
    'bad_input',
    -32600,
  ],
  ['a result that is a text', inSession({ jsonrpc: '2.0', id: 1, result: 'yes' }), 400, 'bad_input', -32600],
  [
    'an error without a code',
    inSession({ jsonrpc: '2.0', id: 1, error: { message: '' } }),
    400,
    'bad_input',
    -32600,
  ],
  ['a response without an id', inSession({ jsonrpc: '2.0', result: {} }), 400, 'bad_input', -32600],
  [
    'a progress token that is an object',
    inSession({ ...list, params: { _meta: { progressToken: {} } } }),
    400,
    'bad_input',
    -32600,
  ],
  ['_meta that is a text', inSession({ ...list, params: { _meta: 'x' } }), 400, 'bad_input', -32600],
  ['initialize in a session', inSession(initialize), 400, 'bad_request', -32000],
  ['initialize without its params', { body: { ...initialize, params: {} } }, 400, 'bad_input', -32600],
  ['initialize in a batch', { body: [initialize] }, 400, 'bad_request', -32000],
  [
    'initialize as a notification',
    { body: { jsonrpc: '2.0', method: 'initialize', params: initialize['params'] ?? {} } },
    400,
    'bad_request',
    -32000,
  ],
  ['a batch in a version without batches', inSession(lists(2)), 400, 'bad_input', -32600],
  ['an empty batch', inSession([]), 400, 'bad_input', -32600],
  ['a batch of one text', inSession(['ping']), 400, 'bad_input', -32600],
  ['a batch that is too long', () => ({ session: oldSession, body: lists(4) }), 400, 'bad_input', -32600],
  [
    'a duplicate id in a batch',
    () => ({ session: oldSession, body: [list, list] }),
    400,
    'bad_input',
    -32600,
  ],
  [
    'initialize hidden in a batch',
    () => ({ session: oldSession, body: [list, initialize] }),
    400,
    'bad_request',
    -32000,
  ],
  [
    'a refused message hidden in a batch',
    () => ({ session: oldSession, body: [list, { ...call('secret'), id: 2 }] }),
    403,
    'scope_missing',
    -32000,
  ],
  ['a missing scope', inSession(call('secret')), 403, 'scope_missing', -32000],
  ['too many requests', inSession(call('often')), 429, 'quota_exceeded', -32000],
  ['an unavailable part', inSession(call('down')), 503, 'not_ready', -32603],
  ['a bug', inSession(call('bug')), 500, 'internal', -32603],
];

describe('an invalid request is refused before it reaches its session:', () => {
  test.each(rows)('%s', async (_name, sending, status, code, rpc) => {
    const answer = await endpoint.send(typeof sending === 'function' ? sending() : sending);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: rpc, data: { code, status } } });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).not.toMatch(/swordfish|\/var\/x|\.ts:/);
  });

  test('sessions continue after refused requests', async () => {
    expect((await endpoint.request(session, 'ping')).result).toEqual({});
    expect((await endpoint.request(oldSession, 'ping')).result).toEqual({});
  });
});

test('a refusal names the request that it answers, if there is one', async () => {
  expect((await endpoint.send({ session, body: call('often') })).body.id).toBe('x');
  expect((await endpoint.send({ body: list })).body.id).toBe('x');
  expect((await endpoint.send({ session: 'made-up', body: list })).body.id).toBeNull();
  expect((await endpoint.send({ session: oldSession, body: [list, list] })).body.id).toBeNull();
});

test('a session of another principal gets the same answer, byte for byte, as an unknown session', async () => {
  const foreign = await endpoint.send({ session, token: 'bob', body: list });
  const unknown = await endpoint.send({ session: 'x'.repeat(session.length), token: 'bob', body: list });
  expect(foreign.text).toBe(unknown.text);
  const names = ({ headers }: typeof foreign) => [...headers.keys()].filter((name) => name !== 'date');
  expect(names(foreign)).toEqual(names(unknown));
});

test('a caller without access learns where to get a token, and gets an error only if it sent a token', async () => {
  const none = await endpoint.send({ token: null, body: list });
  expect(none.headers.get('www-authenticate')).toBe(
    'Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"',
  );
  const wrong = await endpoint.send({ token: 'nobody', body: list });
  expect(wrong.headers.get('www-authenticate')).toBe(
    'Bearer error="invalid_token", error_description="The access token is missing, expired, revoked or meant for another place.", ' +
      'resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"',
  );
  const narrow = await endpoint.send({ session, body: call('secret') });
  expect(narrow.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope", error_description="[^"]+", scope="svc:read svc:write", resource_metadata="[^"]+"$/,
  );
  expect((await endpoint.send({ session, body: call('often') })).headers.get('retry-after')).toBe('7');
  expect((await endpoint.send({ session, token: 'bob' })).headers.has('www-authenticate')).toBe(false);
});

test('an unknown HTTP method is answered with the allowed methods', async () => {
  expect((await endpoint.send({ method: 'PATCH' })).headers.get('allow')).toBe('GET, POST, DELETE');
});

test('a batch in a version with batches is answered in one stream, and each message is checked on its own', async () => {
  admitted.length = 0;
  const answer = await endpoint.send({
    session: oldSession,
    body: [
      list,
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { ...list, id: 2, method: 'ping' },
    ],
  });
  expect(answer.status).toBe(200);
  expect(answer.events.map(({ id }) => id).toSorted()).toEqual([2, 'x']);
  expect(admitted).toEqual(['tools/list', 'ping']);
});

test('the body of a caller without access is not read', async () => {
  const { port } = new URL(endpoint.url);
  const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n{`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

test('a first request without its scope is refused with the id of the request', async () => {
  const refusing = await openEndpoint({
    parts: {
      admit() {
        throw new AppError('scope_missing', { data: { scope: 'svc:read' } });
      },
    },
  });
  const answer = await refusing.send({ body: initialize });
  expect(answer.status).toBe(403);
  expect(answer.body.id).toBe(1);
  expect(refusing.mcp.sessions).toBe(0);
  await refusing.dispose();
});
