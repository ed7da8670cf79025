import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createConnections,
  createGrantStores,
  olderServiceSetting,
  type Connections,
} from '#core/connections/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer, type Credentials } from '#core/profiles/index.ts';
import { signIn, type GrantStore } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { meridian, openProfiles, type OpenProfiles } from '#test/core/profiles/open-profiles.ts';
import { startFakeService, type FakeService } from '#test/servers/fake-service.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { answerRequest } from '#test/servers/person.ts';
import { inputFor, openLive } from './live-world.ts';
import { failureOf } from '#test/core/service-client/remote/fake-mcp.ts';
import { patienceMs } from '../../../scripts/lib/test-settings.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

interface Opened extends OpenProfiles {
  connections: Connections;
  grantsOf(profileId: string): GrantStore;
  credentials: Credentials;
  here: FakeService;
  elsewhere: FakeService;
  /** A profile of the first service, with a member token and a grant. */
  id: string;
}

function inputAt({ baseUrl }: FakeService) {
  const { origin } = new URL(baseUrl);
  return { ...meridian, baseUrl, apiUrl: origin, mcpUrl: origin };
}

async function open(): Promise<Opened> {
  const opened = openProfiles();
  const { profiles, store } = opened;
  const clock = createManualClock();
  const credentials = createCredentials({ store, sealer: createSealer(randomBytes(32)) });
  const grantsOf = createGrantStores({ store, credentials, clock });
  const refuse = (): never => {
    throw new AppError('credential_missing');
  };
  const connections = createConnections({
    profiles,
    credentials,
    demo: {
      memberToken: refuse,
      publisherKey: refuse,
      access: { token: async () => refuse(), renew: async () => refuse() },
    },
    grantsOf,
    settings: store.settings,
    timeoutMs: 20_000,
    clock,
    serviceClock: clock,
    logger,
    onState() {},
    onReturn() {},
    onGrant() {},
    formats: () => defaultFormats,
  });
  const [here, elsewhere] = [await startFakeService(), await startFakeService()];
  for (const service of [here, elsewhere]) service.answerWith({ kind: 'answer', status: 500, body: '{}' });
  const { id } = profiles.add(inputAt(here));
  credentials.write(id, 'member-token', 'of-here');
  credentials.write(id, 'publisher-key', 'key-of-here');
  return { ...opened, connections, grantsOf, credentials, here, elsewhere, id };
}

function move({ profiles, credentials, id, elsewhere }: Opened): void {
  profiles.edit(id, inputAt(elsewhere));
  credentials.write(id, 'member-token', 'of-elsewhere');
  credentials.write(id, 'publisher-key', 'key-of-elsewhere');
}

const day = { from: '2026-01-01', to: '2026-01-01' };

describe('a connection', () => {
  test('exists once for each profile, and is replaced when the profile gets another service', async () => {
    const opened = await open();
    const { connections, id } = opened;
    const first = connections.of(id);
    expect(connections.of(id)).toBe(first);
    opened.profiles.setAccount(id, '7');
    expect(connections.of(id).profile.account).toBe('7');
    move(opened);
    await connections.renew(id);
    const second = connections.of(id);
    expect(second).not.toBe(first);
    await second.member.list({ page: 1, perPage: 1 }).catch(() => undefined);
    expect(opened.elsewhere.received).toMatchObject([{ authorization: 'Bearer of-elsewhere' }]);
    expect(opened.here.received).toEqual([]);
  });

  test('that was ended never sends a later credential to its old service', async () => {
    const opened = await open();
    const { connections, id, here, elsewhere } = opened;
    const old = connections.of(id);
    await old.member.list({ page: 1, perPage: 1 }).catch(() => undefined);
    expect(here.received).toHaveLength(1);
    move(opened);
    await connections.renew(id);

    const calls = [
      old.member.list({ page: 1, perPage: 1 }),
      old.member.updateStatus('{"ids":[1],"status":3}'),
      old.publisher.searchReport(day),
      old.access.token(),
      old.access.renew('refused'),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ reason: { code: 'profile_changed' } });
    }
    expect(here.received).toHaveLength(1);
    expect(elsewhere.received).toEqual([]);
  });

  test('sends nothing to remote tools for a profile that another process has removed', async () => {
    const { connections, store, id, here } = await open();
    const { remote } = connections.of(id);
    store.profiles.remove(id);
    expect(connections.remoteOf(id)).toBe(remote);
    await expect(connections.remoteOf(id).callTool('svc_whoami', {})).rejects.toMatchObject({
      code: 'profile_unknown',
    });
    expect(here.received).toEqual([]);
  });

  test('of a profile without credentials names the missing credential and sends no request', async () => {
    const opened = await open();
    const { connections, credentials, id, here } = opened;
    credentials.forget(id, 'member-token');
    credentials.forget(id, 'publisher-key');
    const { member, publisher } = connections.of(id);
    await expect(member.list({ page: 1, perPage: 1 })).rejects.toMatchObject({
      code: 'credential_missing',
      message: expect.stringMatching(/member token/) as string,
    });
    await expect(publisher.searchReport(day)).rejects.toMatchObject({
      code: 'credential_missing',
      message: expect.stringMatching(/publisher key/) as string,
    });
    expect(here.received).toEqual([]);
  });

  test('reads campaigns through REST with a member token, and through the tools without one', async () => {
    const { connections, credentials, id, here } = await open();
    const { campaigns } = connections.of(id);
    await campaigns.get(7).catch(() => undefined);
    expect(here.received).toMatchObject([{ method: 'GET', authorization: 'Bearer of-here' }]);
    credentials.forget(id, 'member-token');
    await expect(campaigns.get(7)).rejects.toMatchObject({ code: 'sign_in_needed' });
    expect(here.received).toHaveLength(1);
  });
});

test.each([
  ['2026-07-28', false],
  ['2025-11-25', true],
])(
  'a call that lacks a scope names the scope that a service of MCP %s requires, and succeeds after a sign-in with it',
  async (version, isOlder) => {
    const live = await openLive();
    const { profiles, store, connections, grantsOf, id } = await open();
    profiles.edit(id, inputFor(live));
    const { mcpUrl } = inputFor(live);
    if (isOlder) store.settings.set(olderServiceSetting(id), mcpUrl);
    const { accounts, password } = live.credentials;
    const signInWith = (scopes: string[]) =>
      signIn({
        mcpUrl,
        store: grantsOf(id),
        scopes,
        async open(address) {
          await fetch(await answerRequest(address, { login: accounts.buyer.login, password }));
          return true;
        },
        signal: new AbortController().signal,
        timeoutMs: patienceMs,
        clock: systemClock,
        logger,
      });
    const { data } = await live.list('?status=1');
    const { remote } = connections.of(id);
    const rename = () =>
      remote.callTool('svc_prepare_campaign_update', {
        cid: data[0]?.cid ?? 0,
        changes: { name: 'Other' },
      });

    await signInWith([]);
    const failure = await failureOf(rename());
    expect(failure).toMatchObject({
      code: 'scope_needed',
      message: 'The sign-in does not cover this. The service requires the scope “svc:read svc:write”.',
      data: { status: 403, scope: 'svc:read svc:write' },
    });
    expect(await remote.protocolVersion()).toBe(version);

    await signInWith(String(failure.data?.['scope']).split(' '));
    expect(await rename()).toMatchObject({ structuredContent: { status: 'success' } });
    expect(await remote.protocolVersion()).toBe(version);
  },
);
