import { afterEach, expect, test } from 'vitest';
import type { InteractionResult } from '#core/oauth-server/index.ts';
import { createTestClient, redirectUri } from '#test/core/oauth-server/test-client.ts';
import { startBackend } from '../open-backend.ts';
import type { RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
afterEach(() => service.dispose());

/** Starts a service whose process itself answers the sign-in of its own client, as the app does. */
async function start(result: InteractionResult) {
  const clients = [{ clientId: 'the-app', clientName: 'Countersign', redirectUris: [redirectUri] }];
  service = await startBackend({
    campaigns: 5,
    days: 3,
    consent: { kind: 'answered', clients, answer: () => result },
  });
  return createTestClient(`http://127.0.0.1:${service.port}`);
}

test('the app’s own client gets its code without a page', async () => {
  const client = await start({ kind: 'granted', subject: '20417', scopes: ['svc:read'] });
  const code = await client.code('the-app', { scope: 'svc:read svc:write' });
  const tokens = (await (await client.redeem(code)).json()) as { scope: string };
  expect(tokens.scope).toBe('svc:read');
});

test('a client that the app denies gets nothing', async () => {
  const client = await start({ kind: 'denied' });
  const { answer } = await client.code('the-app');
  expect([answer.get('code'), answer.get('error')]).toEqual([null, 'access_denied']);
});

test('a foreign client can neither register nor sign in', async () => {
  const client = await start({ kind: 'granted', subject: '20417', scopes: ['svc:read'] });
  expect((await client.register()).status).toBeGreaterThanOrEqual(400);
  const asked = await client.authorize('stranger');
  expect([asked.status, asked.headers.get('location')]).toEqual([400, null]);
  const origin = `http://127.0.0.1:${service.port}`;
  const metadata = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).not.toHaveProperty('registration_endpoint');
});
