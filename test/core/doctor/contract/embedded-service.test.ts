import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { createMemberClient } from '#core/service-client/index.ts';
import { readAccount } from '#test/servers/read-account.ts';
import { accessWith, examine, examineOnly, exceptions, openSubject } from './examine.ts';
import type { Subject } from './examine.ts';
import { contractChecks } from '#core/doctor/contract/run-checks.ts';

const stateOf = ({ service: { baseUrl, credentials } }: Subject): Promise<unknown> =>
  readAccount(
    createMemberClient({
      baseUrl,
      token: async () => credentials.memberToken,
      timeoutMs: 15_000,
      logger: silentLogger,
    }),
  );

describe.each(['northwind', 'meridian'] as const)('the embedded service of %s', (tenant) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject({ tenant });
  });
  afterAll(() => subject.service.dispose());

  test('meets the contract, and an examination by reads changes nothing', async () => {
    const { backend } = subject.service;
    const before = await stateOf(subject);
    const earlier = backend.requestLog().length;
    const findings = await examine(subject);
    const requests = backend.requestLog().slice(earlier);
    expect(exceptions(findings)).toEqual([]);
    expect(findings.map(({ id }) => id)).toEqual(contractChecks.map(({ id }) => id));
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'DELETE']));
    expect(new Set(requests.filter(({ method }) => method !== 'GET').map(({ path }) => path))).toEqual(
      new Set(['/mcp']),
    );
    expect(requests.length).toBeLessThan(80);
    expect(await stateOf(subject)).toEqual(before);
  });
});

describe('another account', () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await openSubject({ campaigns: 5 });
  });
  afterAll(() => subject.service.dispose());

  test('that sells traffic is refused by the member endpoints, and its reports are still checked', async () => {
    const { memberToken, publisherKeys } = subject.service.credentials.accounts.publisher;
    const [key] = publisherKeys;
    const known = { tid: key?.tids[0] ?? 0 };
    const findings = await examine(subject, { memberToken, publisherKey: key?.key ?? null, known });
    const stateOf = (wanted: string) => findings.find(({ id }) => id === wanted);
    expect(findings.filter(({ state }) => state === 'drifts')).toEqual([]);
    expect(stateOf('campaign-list.shape')?.text).toBe('The service refuses the member token (403).');
    expect(stateOf('xml-stats.shape')?.state).toBe('holds');
  });

  test('without credentials leaves checks that need them undone, with the reason', async () => {
    const findings = await examine(subject, {
      memberToken: null,
      publisherKey: null,
      access: null,
      known: {},
    });
    expect(findings.filter(({ state }) => state === 'drifts')).toEqual([]);
    expect(new Set(findings.filter(({ state }) => state === 'skipped').map(({ text }) => text))).toEqual(
      new Set(['There is no publisher key.', 'There is no member token.', 'There is no sign-in.']),
    );
    expect(findings.find(({ id }) => id === 'member-access.none')?.state).toBe('holds');
  });

  test('with an expired token is asked once more and then no longer', async () => {
    const { backend } = subject.service;
    const count = () => backend.requestLog().length;
    const before = count();
    const findings = await examine(subject, { memberToken: 'ended', publisherKey: null, access: null });
    const members = findings.filter(({ id }) => id.startsWith('campaign'));
    expect(new Set(members.map(({ text }) => text))).toEqual(
      new Set(['The service refuses the member token (401).']),
    );
    expect(count() - before).toBeLessThan(15);
  });

  test('without access to the remote tools leaves them unchecked', async () => {
    const { accessToken } = await subject.service.backend.issueRemoteGrant({
      account: 'withoutMenu',
      scopes: ['svc:read'],
    });
    const remote = await examineOnly(subject, ['remote.'], { access: accessWith(accessToken) });
    expect(new Set(remote.map(({ state }) => state))).toEqual(new Set(['skipped']));
    expect(remote[0]?.text).toBe('The sign-in does not reach here (403).');
  });
});
