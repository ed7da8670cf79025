import { afterAll, beforeAll, expect, test } from 'vitest';
import { speak } from '../../platform/loopback/raw-socket.ts';
import { startBackend, type RunningBackend } from '../open-backend.ts';

let run: RunningBackend;
let cid: number;
beforeAll(async () => {
  run = await startBackend({ campaigns: 9 });
  cid = (await run.list()).data[0]?.cid ?? 0;
});
afterAll(() => run.dispose());

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]));
const entries = (count: number): number[] => Array.from({ length: count }, () => 0);

const json = { 'content-type': 'application/json' };
const send = async (path: string, body: object) =>
  run.send('PUT', `/login/campaigns/${path}`, { body: JSON.stringify(body), headers: json });

test.each<[string, () => object]>([
  ['250,000 members', () => members(250_000)],
  ['250,000 members in one field', () => ({ name: members(250_000) })],
  ['5,001 members in one object', () => members(5_001)],
  ['a list of a million entries', () => ({ geo: entries(1_000_000) })],
  ['50,001 entries in two lists', () => ({ geo: entries(25_000), os: entries(25_000) })],
])('an update with %s is refused while it is being read', async (_what, body) => {
  const answer = await send(String(cid), body());
  expect([answer.status, answer.body.code]).toEqual([413, 'json_too_large']);
});

test('a campaign with ten thousand entries in each of four lists is accepted', async () => {
  const campaign = await run.campaign(cid);
  const list = Array.from({ length: 10_000 }, (_, at) => `site-${at}.example`);
  const answer = await run.put(cid, {
    ...campaign,
    domain_allowlist: list,
    domain_blocklist: list,
    publisher_allowlist: list,
    publisher_blocklist: list,
  });
  expect(answer.status).toBe(200);
});

test('the remote endpoint, a registration and a form refuse oversized bodies as well', async () => {
  const base = `http://127.0.0.1:${run.port}`;
  const { access_token: token } = await run.backend
    .issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] })
    .then((grant) => ({ access_token: grant.accessToken }));
  const call = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      ...json,
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { arguments: members(20_000) },
    }),
  });
  expect(call.status).toBe(413);
  const registration = await fetch(`${base}/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(members(5_001)),
  });
  expect([400, 413]).toContain(registration.status);
  const form = await fetch(`${base}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a&'.repeat(16_000),
  });
  expect(form.status).toBe(400);
});

test('20,000 simultaneous requests on one connection end with the connection, and the service still reports its health', async () => {
  const one = `GET /api/v1/login/campaigns/campaigns HTTP/1.1\r\nHost: 127.0.0.1:${run.port}\r\nAuthorization: Bearer ${run.credentials.memberToken}\r\n\r\n`;
  const before = run.backend.requestLog().length;
  const [flood, health] = await Promise.all([
    speak(run.port, one.repeat(20_000)),
    fetch(`http://127.0.0.1:${run.port}/health`),
  ]);
  expect(health.status).toBe(200);
  expect(flood.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(33);
  const served = run.backend
    .requestLog()
    .slice(before)
    .filter(({ path }) => path.endsWith('/campaigns'));
  expect(served.length).toBeLessThanOrEqual(33);
});
