import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { openRemoteSession } from '#test/core/backend/remote-session.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import type { ListedTask } from './task-world.ts';

const clock = createManualClock();
const dayMs = 86_400_000;

let service: RunningBackend;
beforeAll(async () => {
  const day = 86_400;
  service = await startBackend({
    clock,
    campaigns: 40,
    days: 2,
    lifetimes: { accessTokenSeconds: 30 * day, refreshTokenIdleSeconds: 60 * day },
  });
});
afterAll(() => service.dispose());

/** Calls one tool in a session of its own. */
async function call(accessToken: string, name: string, args: JsonObject): Promise<JsonObject> {
  const client = await openRemoteSession(`http://127.0.0.1:${service.port}`, accessToken);
  const { structuredContent } = await client.callTool({ name, arguments: args });
  await client.close();
  return structuredContent as JsonObject;
}

async function commit(accessToken: string, prepared: JsonObject): Promise<JsonObject> {
  const { approval, payload } = prepared as { approval: JsonObject; payload: JsonObject };
  const [approvalId = null, fingerprint = null] = [approval['id'], approval['fingerprint']];
  const idempotencyKey = `key-${String(approvalId)}`;
  const args = { approvalId, fingerprint, payload, idempotencyKey, confirmed: true };
  return call(accessToken, 'svc_commit', args);
}

const only = async (accessToken: string): Promise<ListedTask> => {
  const { data } = await call(accessToken, 'svc_list_tasks', {});
  return (data as unknown as [ListedTask])[0];
};

/** By a fresh member token: one lasts twelve hours. */
const statusOf = async (cid: number) =>
  (await service.campaign(cid, service.backend.issueDemoCredentials().memberToken))['status'];

test('a client makes a task, commits what comes due, and ends it all by revoking its grant', async () => {
  const scopes = ['svc:read', 'svc:write', 'offline_access'] as const;
  const { accessToken, refreshToken, clientId } = await service.backend.issueRemoteGrant({
    account: 'buyer',
    scopes,
  });
  const [row] = (await service.list('?status=1&perPage=1')).data;
  const cid = row?.cid ?? 0;
  const prepared = await call(accessToken, 'svc_prepare_task', {
    kind: 'campaign_status',
    schedule: { type: 'daily', time: '09:00', timezone: 'Europe/Berlin' },
    parameters: { cids: [cid], status: 'paused' },
  });
  expect((await commit(accessToken, prepared['data'] as JsonObject))['status']).toBe('success');

  clock.advance(dayMs);
  const due = await only(accessToken);
  expect(due).toMatchObject({ state: 'due', lastRun: { outcome: 'waiting' } });
  expect(await statusOf(cid)).toBe(1);
  const { approval } = due;
  const committed = await commit(accessToken, { approval, payload: approval?.payload ?? null });
  expect(committed).toMatchObject({ status: 'success', data: { status: 'completed' } });
  expect(await statusOf(cid)).toBe(3);
  expect(await only(accessToken)).toMatchObject({ state: 'active', lastRun: { outcome: 'committed' } });

  const revoked = await fetch(`http://127.0.0.1:${service.port}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: refreshToken, client_id: clientId }),
  });
  expect(revoked.status).toBe(200);
  clock.advance(dayMs);
  const other = await service.backend.issueRemoteGrant({ account: 'buyer', scopes });
  expect(await only(other.accessToken)).toMatchObject({ state: 'suspended', reason: 'token_invalid' });
});
