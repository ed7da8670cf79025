import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createConnections, createGrantStores } from '#core/connections/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer } from '#core/profiles/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createWorld, ledgerVerified } from '#test/core/proposals/world.ts';
import { meridian, openProfiles } from '#test/core/profiles/open-profiles.ts';
import { startFakeService, type FakeAnswer } from '#test/servers/fake-service.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const answer = (status: number, headers: Record<string, string> = {}): FakeAnswer => {
  const data = { data: [], total: 0, currentPage: 1, totalPages: 0 };
  const body = status === 200 ? { status: 'success', message: '', data } : { status: 'error', message: 'No' };
  return { kind: 'answer', status, body: JSON.stringify(body), headers };
};

/** Opens an active live profile whose service answers as the test determines. */
async function setUp() {
  const { profiles, store } = openProfiles();
  const clock = createManualClock();
  const sealer = createSealer(randomBytes(32));
  const credentials = createCredentials({ store, sealer });
  const reported = { states: 0, returns: [] as string[] };
  const refuse = (): never => {
    throw new AppError('credential_missing');
  };
  const connections = createConnections({
    profiles,
    credentials,
    demo: { memberToken: refuse, publisherKey: refuse, access: { token: refuse, renew: refuse } },
    grantsOf: createGrantStores({ store, credentials, clock }),
    settings: store.settings,
    timeoutMs: 20_000,
    clock,
    serviceClock: clock,
    logger,
    onState: () => void (reported.states += 1),
    onReturn: (id) => void reported.returns.push(id),
    onGrant() {},
    formats: () => defaultFormats,
  });
  const service = await startFakeService();
  const { origin } = new URL(service.baseUrl);
  const { id } = profiles.add({ ...meridian, baseUrl: service.baseUrl, apiUrl: origin, mcpUrl: origin });
  profiles.switchTo(id);
  return { connections, credentials, store, clock, service, reported, id };
}

describe('a status check of a live service', () => {
  test('without a member token sends no request and says what to add', async () => {
    const { connections, service } = await setUp();
    expect(await connections.look()).toEqual({
      service: { state: 'signed-out', latencyMs: null, checkedAtMs: null, retryAtMs: null },
      writing: {
        off: { because: 'This profile has no member token yet.', next: 'Add one on the Profiles page.' },
      },
    });
    expect(service.received).toEqual([]);
  });

  test('with a token sealed in another session sends no request', async () => {
    const { connections, store, service, id } = await setUp();
    createCredentials({ store, sealer: createSealer(randomBytes(32)) }).write(id, 'member-token', 'abc');
    expect(await connections.look()).toMatchObject({
      service: { state: 'signed-out' },
      writing: { off: { because: expect.stringContaining('another session') as string } },
    });
    expect(service.received).toEqual([]);
  });

  test('notices an outage and the recovery, turns changes off meanwhile, and reports the recovery once', async () => {
    const { connections, credentials, service, clock, reported, id } = await setUp();
    credentials.write(id, 'member-token', 'token-of-mine');
    service.answerWith(answer(200), answer(500), { kind: 'destroy' }, { kind: 'destroy' }, answer(200));
    expect(await connections.look()).toMatchObject({ service: { state: 'ready' }, writing: { off: null } });
    for (let time = 0; time < 2; time += 1) {
      clock.advance(10_001);
      expect(await connections.look()).toMatchObject({
        service: { state: 'unreachable' },
        writing: {
          off: {
            because: expect.stringMatching(/^The service has not answered since \d\d:\d\d\.$/) as string,
          },
        },
      });
    }
    expect(reported.returns).toEqual([]);
    clock.advance(10_001);
    expect(await connections.look()).toMatchObject({ service: { state: 'ready' }, writing: { off: null } });
    expect(reported).toEqual({ states: 3, returns: [id] });
    expect(service.received).toHaveLength(5);
  });

  test('reports that the token is no longer accepted', async () => {
    const { connections, credentials, service, id } = await setUp();
    credentials.write(id, 'member-token', 'token-of-mine');
    service.answerWith(answer(401));
    expect(await connections.look()).toMatchObject({
      service: { state: 'signed-out', latencyMs: expect.any(Number) as number },
      writing: { off: { next: 'Replace it on the Profiles page.' } },
    });
  });

  test('shows the pause of a waiting read without waiting or sending a request', async () => {
    const { connections, credentials, service, clock, id } = await setUp();
    credentials.write(id, 'member-token', 'token-of-mine');
    service.answerWith(answer(200), answer(429, { 'retry-after': '20' }), answer(200));
    await connections.look();
    const read = connections.of(id).member.list({ page: 1, perPage: 1 });
    const shown = async (): Promise<number | null> => (await connections.look()).service.retryAtMs;
    await expect.poll(shown).toBe(clock.nowMs() + 20_000);
    clock.advance(19_999);
    await shown();
    expect(service.received).toHaveLength(2);
    clock.advance(1_000);
    await expect(read).resolves.toMatchObject({ total: 0 });
    expect(await shown()).toBeNull();
  });

  test('does not mistake a problem of the publisher key for one of the member token', async () => {
    const { connections, credentials, service, id } = await setUp();
    credentials.write(id, 'member-token', 'token-of-mine');
    credentials.write(id, 'publisher-key', 'key-of-mine');
    service.answerWith(answer(200));
    await connections.look();
    service.answerWith(answer(500));
    const day = { from: '2026-11-01', to: '2026-11-01' };
    await expect(connections.of(id).publisher.searchReport(day)).rejects.toMatchObject({
      code: 'service_failed',
    });
    expect(await connections.look()).toMatchObject({ service: { state: 'ready' }, writing: { off: null } });
  });
});

test.each(['endWaits', 'dispose', 'renew'] as const)(
  'after a waiting read follows the result of its last attempt, by %s',
  async (end) => {
    const { connections, credentials, service, reported, id } = await setUp();
    credentials.write(id, 'member-token', 'token-of-mine');
    service.answerWith(answer(503));
    const read = connections.of(id).member.list({ page: 1, perPage: 1 });
    read.catch(() => undefined);
    await expect.poll(() => reported.states).toBe(2);
    await connections[end](id);
    await expect(read).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(service.received).toHaveLength(1);
  },
);

test('makes pages reload when the active profile’s service has recovered, and does not keep the core from ending', async () => {
  const world = await createWorld();
  const { core, clock, service } = world;
  // The endpoint for agents emits its own event when it opens.
  await core.handlers['agents.openEndpoint']({ onAnotherPort: false });
  await ledgerVerified(world);
  const events: unknown[] = [];
  core.subscribe((event) => void events.push(event));
  const status = () => core.handlers['session.status']({});
  service.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' });
  expect((await status()).writing.off).not.toBeNull();
  expect(events).toEqual([{ kind: 'status.changed' }]);
  clock.advance(10_001);
  expect((await status()).writing.off).toBeNull();
  expect(events.slice(1)).toEqual([{ kind: 'status.changed' }, { kind: 'campaigns.changed', cids: [] }]);

  service.faults.arm({ kind: 'answer', status: 503, method: 'GET', path: '/login/campaigns' });
  const types = core.handlers['campaigns.types']({});
  types.catch(() => undefined);
  // A request that still waits for the answer would fail with the connection instead.
  await expect.poll(async () => (await status()).service.retryAtMs).not.toBeNull();
  await core.dispose();
  await expect(types).rejects.toMatchObject({ code: 'service_unavailable' });
});
