import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccess, createMemoryGrants, signOut } from '#core/service-client/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { startBackend, type RunningBackend } from '#test/core/backend/open-backend.ts';
import { createTestClient } from '#test/core/oauth-server/test-client.ts';
import { answerRequest } from '#test/servers/person.ts';
import { beginSignIn, visit } from './begin-sign-in.ts';

describe('at the embedded service, through its real pages', () => {
  let service: RunningBackend;
  let mcpUrl: string;
  beforeAll(async () => {
    service = await startBackend();
    mcpUrl = `http://127.0.0.1:${service.port}`;
  });
  afterAll(() => service.dispose());
  const buyer = () => ({
    login: service.credentials.accounts.buyer.login,
    password: service.credentials.password,
  });

  test('a person signs in, the token opens the tools, a refresh rotates it, and signing out ends it', async () => {
    const begun = beginSignIn(mcpUrl, { scopes: ['svc:write'] });
    const address = await begun.address();
    const page = await visit(await answerRequest(address, buyer()));
    const grant = await begun.ended;
    expect([page.status, page.title]).toEqual([200, 'You are signed in']);
    expect(grant).toMatchObject({
      issuer: mcpUrl,
      resource: `${mcpUrl}/mcp`,
      scopes: ['svc:read', 'svc:write'],
    });
    expect(begun.store.load()).toEqual({ kind: 'held', grant });
    expect(begun.progress.map(({ kind }) => kind)).toEqual(['waiting', 'opened', 'finishing']);

    const access = createAccess({ mcpUrl, store: begun.store, clock, logger, timeoutMs: 5_000 });
    const renewed = await access.renew(await access.token());
    expect(renewed).not.toBe(grant.accessToken);
    expect(await access.token()).toBe(renewed);
    const held = begun.store.load();
    const refreshToken = (held.kind === 'held' && held.grant.refreshToken) || '';
    expect(await signOut({ mcpUrl, store: begun.store, timeoutMs: 5_000, logger })).toBe(true);
    expect([begun.store.load(), begun.store.client()]).toEqual([{ kind: 'none' }, null]);
    const again = await createTestClient(mcpUrl).refresh(grant.clientId, refreshToken, {
      resource: grant.resource,
    });
    expect(again.status).toBe(400);
  });
});
