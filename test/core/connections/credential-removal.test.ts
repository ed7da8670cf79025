import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createGrantStores } from '#core/connections/index.ts';
import { createCredentialRemoval } from '#core/connections/grant-store.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer } from '#core/profiles/index.ts';
import type { Grant } from '#core/service-client/index.ts';
import { meridian, openProfiles } from '#test/core/profiles/open-profiles.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

test('a running refresh restores no credential after its profile was removed', async () => {
  const { profiles, store } = openProfiles();
  const clock = createManualClock();
  const credentials = createCredentials({ store, sealer: createSealer(randomBytes(32)) });
  const grantsOf = createGrantStores({ store, credentials, clock });
  const fake = await startFakeService();
  fake.answerWith({ kind: 'answer', status: 500, body: '{}' });
  const mcpUrl = new URL(fake.baseUrl).origin;
  const profile = profiles.add({ ...meridian, mcpUrl });
  const grants = grantsOf(profile.id);
  const grant: Grant = {
    issuer: mcpUrl,
    clientId: 'client-1',
    resource: `${mcpUrl}/mcp`,
    accessToken: 'first',
    refreshToken: 'first-refresh',
    scopes: ['svc:read'],
    expiresAtMs: null,
    account: '77',
    signedInAtMs: clock.nowMs(),
  };
  grants.save(grant);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  grants.lease();
  grants.runningRefresh = answered.then(() => {
    const renewed = { ...grant, accessToken: 'second', refreshToken: 'second-refresh' };
    grants.save(renewed);
    grants.runningRefresh = null;
    return renewed;
  });

  const removal = createCredentialRemoval({
    credentials,
    grantsOf,
    signIn: { leave: async () => {} },
    endExamination: () => {},
    timeoutMs: 20_000,
    logger,
  });
  const leaving = removal.leaveService(profile);
  await new Promise((resolve) => setImmediate(resolve));
  // The grant must be kept until the refresh has ended, because the new token has to be revoked.
  expect(grants.load()).toMatchObject({ kind: 'held' });
  answer();
  expect(await leaving).toBe('unconfirmed');
  store.transaction(() => removal.forgetCredentials(profile.id));
  expect(grants.load()).toEqual({ kind: 'none' });
  expect(store.secrets.names(profile.id)).toEqual([]);
});
