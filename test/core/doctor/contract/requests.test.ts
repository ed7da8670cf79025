import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ContractCheckOptions } from '#core/doctor/contract/run-checks.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ContractFinding } from '#shared/app-api/index.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import { accessWith, examine, examineOnly, exceptions, openSubject } from './examine.ts';
import type { Subject } from './examine.ts';
import { at, edit, isList, items, posting, rowsOf, say, set } from './spoil.ts';
import { openSpoilingProxy } from './spoiling-proxy.ts';
import type { PassingRequest, Spoiling, SpoilingProxy } from './spoiling-proxy.ts';

let subject: Subject;
let proxy: SpoilingProxy;
let passed: PassingRequest[];

beforeAll(async () => {
  subject = await openSubject({ campaigns: 30 });
  proxy = await openSpoilingProxy(subject.options.addresses.mcpUrl);
});
afterAll(async () => {
  await proxy.dispose();
  await subject.service.dispose();
});
beforeEach(() => {
  passed = [];
});

function addressesAt(origin: string): ContractCheckOptions['addresses'] {
  return { baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
}

function examineSpoilt(
  beginnings: readonly string[],
  spoilings: readonly Spoiling[],
  changes: Partial<ContractCheckOptions> = {},
): Promise<ContractFinding[]> {
  proxy.spoil({
    request(request) {
      passed.push({ ...request, query: new URLSearchParams(request.query) });
      for (const spoiling of spoilings) spoiling.request?.(request);
    },
    answer(answer, request) {
      for (const spoiling of spoilings) spoiling.answer?.(answer, request);
    },
  });
  return examineOnly(subject, beginnings, { addresses: addressesAt(proxy.origin), ...changes });
}

/** The empty prefix matches every check that reads. */
const all = [''];

const find = (findings: readonly ContractFinding[], wanted: string) =>
  findings.find(({ id }) => id === wanted);

test('the doctor stops immediately at a service that asks for fewer requests', async () => {
  const findings = await examineSpoilt(['xml-stats', 'remote'], [say(at('/xml/stats'), { status: 429 })]);
  const first = findings.findIndex(({ state }) => state === 'skipped');
  expect(find(findings, 'xml-stats.shape')).toBe(findings[first]);
  expect(new Set(findings.slice(first).map(({ text }) => text))).toEqual(
    new Set(['The service asks for fewer requests (429).']),
  );
  expect(passed.filter(({ path }) => path === '/xml/stats')).toHaveLength(1);
  expect(passed.at(-1)?.path).toBe('/xml/stats');
});

test('a cancelled examination sends no further request', async () => {
  const stop = new AbortController();
  const findings = await examineSpoilt(['campaign-list'], [], {
    signal: stop.signal,
    onFinding: ({ id }) => id === 'campaign-list.shape' && stop.abort(),
  });
  expect(findings.at(-1)?.id).toBe('campaign-list.shape');
  const count = passed.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(passed).toHaveLength(count);
});

test('an examination that is cancelled during a wait ends immediately', async () => {
  const stop = new AbortController();
  const service = await startFakeService();
  service.answerWith({ kind: 'silence' });
  const { origin } = new URL(service.baseUrl);
  const examined = examine(subject, {
    addresses: addressesAt(origin),
    signal: stop.signal,
    timeoutMs: 60_000,
  });
  await expect.poll(() => service.received.length).toBe(1);
  stop.abort();
  expect(await examined).toEqual([]);
});

test('a service that does not answer is not waited for again', async () => {
  const service = await startFakeService();
  service.answerWith({ kind: 'silence' });
  const { origin } = new URL(service.baseUrl);
  const findings = await examine(subject, { addresses: addressesAt(origin), timeoutMs: 40 });
  expect(findings[0]?.text).toBe('No answer came in time.');
  expect(new Set(findings.slice(1).map(({ text }) => text))).toEqual(
    new Set(['The service stopped answering.', 'No answer was read.']),
  );
  expect(service.received.length).toBeLessThanOrEqual(1);
});

test('a broken connection is tried once more and then given up', async () => {
  const service = await startFakeService();
  service.answerWith({ kind: 'destroy' });
  const { origin } = new URL(service.baseUrl);
  const findings = await examine(subject, { addresses: addressesAt(origin) });
  expect(findings[0]?.text).toBe('The connection failed.');
  expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['skipped']));
  expect(service.received).toHaveLength(2);
});

test('a redirect is never followed', async () => {
  const elsewhere = await startFakeService();
  elsewhere.answerWith({ kind: 'answer', status: 200, body: '{}' });
  const findings = await examineSpoilt(
    ['campaign-list.shape', 'xml-stats.shape', 'remote.initialize'],
    [
      say(isList, { status: 302, headers: { location: elsewhere.baseUrl } }),
      say(at('/xml/stats'), { status: 307, headers: { location: elsewhere.baseUrl } }),
      say(at('/mcp'), { status: 308, headers: { location: elsewhere.baseUrl } }),
    ],
  );
  for (const id of ['campaign-list.shape', 'xml-stats.shape', 'remote.initialize']) {
    const { origin } = new URL(elsewhere.baseUrl);
    expect(find(findings, id)?.text).toBe(
      `Expected an answer; came a redirect to “${origin}”, which is never followed.`,
    );
  }
  expect(elsewhere.received).toEqual([]);
});

test('no finding contains a credential, however the service returns it', async () => {
  const { memberToken, publisherKey, access } = subject.options;
  const accessToken = (await access?.token()) ?? '';
  const secrets = [memberToken ?? '', publisherKey ?? '', accessToken];
  const findings = await examineSpoilt(all, [
    edit(at('/.well-known/oauth-protected-resource/mcp'), (body) =>
      set(body, 'resource', `https://x.example/?token=${publisherKey}`),
    ),
    edit(isList, (body, { headers }) =>
      rowsOf(body).forEach((row) => set(row, 'status_name', `${'x'.repeat(480)}${headers['authorization']}`)),
    ),
    edit(at('/xml/stats'), (body, { query }) => set(body, 'status', query.get('token'))),
    edit(at('/publisher/search-report'), (body, { query }) =>
      set(items(body['data'])[0], 'date', query.get('token')),
    ),
    {
      answer(answer, { path, headers }) {
        const key = `"${'k'.repeat(30)}${headers['authorization']}":1`;
        if (path.endsWith('/2147483647') || !/campaigns\/\d+$/.test(path)) return;
        answer.body = `{${key},${key}}`;
      },
    },
    edit(posting('"tools/list"'), (body, { headers }) => set(body, 'jsonrpc', headers['authorization'])),
  ]);
  const text = findings.map((finding) => finding.text).join('\n');
  expect(text).toContain('[redacted]');
  expect(find(findings, 'campaign.shape')?.text).toBe('Expected JSON; came something else.');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret.slice(0, 12));
  }
});

test('untrusted text in a finding is harmless and shortened', async () => {
  const findings = await examineSpoilt(
    ['campaign-list.status-names'],
    [
      edit(isList, (body) =>
        rowsOf(body).forEach((row) => set(row, 'status_name', `\u202e”${'x'.repeat(9_000)}`)),
      ),
    ],
  );
  const text = find(findings, 'campaign-list.status-names')?.text ?? '';
  expect(text).toContain('⟨U+202E⟩');
  expect(text).not.toContain('\u202e');
  expect(text.length).toBeLessThan(700);
});

test('each credential is sent only to its own endpoint and never in an address', async () => {
  const { memberToken, publisherKey, addresses } = subject.options;
  const findings = await examineSpoilt(all, [], {
    addresses: { ...addresses, apiUrl: proxy.origin },
  });
  for (const id of ['member-access.publisher-key', 'search-report.member-token']) {
    expect(find(findings, id)?.text).toMatch(/is not sent to another host than its own/);
  }
  expect(passed.length).toBeGreaterThan(5);
  expect(passed.every(({ path }) => path === '/xml/stats' || path === '/publisher/search-report')).toBe(true);
  expect(passed.every(({ headers }) => headers['authorization'] === undefined)).toBe(true);

  passed = [];
  await examineSpoilt(all, []);
  for (const { path, query } of passed) {
    expect(`${path}?${query.toString()}`).not.toContain(memberToken ?? '');
    if (query.get('token') === publisherKey)
      expect(path).toMatch(/^\/(xml\/stats|publisher\/search-report)$/);
  }
});

test('an expired token is renewed once, and the old token is not used again', async () => {
  const token = (await subject.options.access?.token()) ?? '';
  let current = 'ended-token-of-before';
  const renewed: string[] = [];
  const access = {
    token: () => Promise.resolve(current),
    renew: (refused: string) => {
      renewed.push(refused);
      current = token;
      return Promise.resolve(current);
    },
  };
  const findings = await examineSpoilt(['remote.whoami'], [], { access });
  expect(find(findings, 'remote.whoami')?.state).toBe('holds');
  expect(renewed).toEqual(['ended-token-of-before']);
});

test('a sign-in that has ended leaves the tools unchecked with its own reason', async () => {
  const ended = () => Promise.reject(new AppError('sign_in_needed'));
  const findings = await examineSpoilt(['remote.whoami'], [], { access: { token: ended, renew: ended } });
  expect(find(findings, 'remote.whoami')).toMatchObject({
    state: 'skipped',
    text: 'The sign-in is missing or has ended.',
  });
});

test('an event stream that stays open is read up to its answer', async () => {
  const service = await startFakeService();
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } });
  const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  service.answerWith({
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'content-length': '100000' },
    body: `: hello\n\ndata: ${progress}\n\nevent: message\r\ndata: ${message}\r\n\r\n`,
  });
  const { origin } = new URL(service.baseUrl);
  const findings = await examineOnly(subject, ['remote.initialize'], {
    addresses: { ...subject.options.addresses, mcpUrl: origin },
    access: accessWith('a-token-of-this-test'),
    timeoutMs: 10_000,
  });
  expect(exceptions(findings)).toEqual([]);
  expect(service.received.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('an event stream that is not text is reported as a drift and not as silence', async () => {
  const service = await startFakeService();
  service.answerWith({
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]),
  });
  const { origin } = new URL(service.baseUrl);
  const findings = await examineOnly(subject, ['remote.initialize'], {
    addresses: { ...subject.options.addresses, mcpUrl: origin },
    access: accessWith('a-token-of-this-test'),
  });
  expect(find(findings, 'remote.initialize')?.state).toBe('drifts');
});
