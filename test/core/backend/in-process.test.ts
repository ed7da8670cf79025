import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Fault } from '#core/backend/index.ts';
import { startBackend } from './open-backend.ts';
import type { RunningBackend } from './open-backend.ts';
import { openRemoteSession } from './remote-session.ts';

let service: RunningBackend;
afterEach(() => service.dispose());

async function openSession(): Promise<Client> {
  const { accessToken } = await service.backend.issueRemoteGrant({
    account: 'buyer',
    scopes: ['svc:read', 'svc:write'],
  });
  const client = await openRemoteSession(new URL(service.baseUrl).origin, accessToken);
  onTestFinished(() => client.close());
  return client;
}

/** Returns the first campaign with this status. The default status allows a change of the bid. */
async function findCampaign(status = 3): Promise<{ cid: number; payout: number }> {
  const [row] = (await service.list(`?status=${status}`)).data;
  if (row === undefined) throw new Error('The demo has no such campaign');
  return row;
}

/** A new name is valid for campaigns of every type, whatever their bounds. */
const renamed = { name: 'Renamed by somebody else' };

describe('an edit by another user of the account', () => {
  test('is stored like a full update and visible to the next read', async () => {
    service = await startBackend({ campaigns: 50 });
    const { cid } = await findCampaign();
    const before = await service.campaign(cid);
    service.backend.editCampaign(cid, renamed);
    expect(await service.campaign(cid)).toEqual({ ...before, ...renamed });
    expect((await service.list(`?query=${cid}`)).data[0]?.name).toBe(renamed.name);
  });

  test('is refused like a full update, and then nothing is stored', async () => {
    service = await startBackend({ campaigns: 50 });
    const { cid } = await findCampaign();
    const before = await service.campaign(cid);
    expect(() => service.backend.editCampaign(cid, { payout: -1 })).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
    expect(() => service.backend.editCampaign(1, renamed)).toThrow(
      expect.objectContaining({ code: 'campaign_not_found' }),
    );
    expect(await service.campaign(cid)).toEqual(before);
  });

  test('ends the approvals that were prepared from the earlier state', async () => {
    service = await startBackend({ campaigns: 50 });
    const client = await openSession();
    const { cid } = await findCampaign();
    const commit = await prepareSuspension(client, cid);
    service.backend.editCampaign(cid, renamed);
    const answer = await client.callTool({ name: 'svc_commit', arguments: commit });
    expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code: 'state_moved' } } });
  });
});

test('an account without balance cannot activate campaigns, and can again once it has balance', async () => {
  service = await startBackend({ campaigns: 50 });
  const { uid } = service.credentials;
  const { cid } = await findCampaign();
  service.backend.setBalance(uid, 0);
  expect(service.backend.balanceMicros(uid)).toBe(0);
  expect((await service.setStatus({ ids: [cid], status: 1 })).status).toBe(402);
  service.backend.setBalance(uid, 1_000_000);
  expect((await service.setStatus({ ids: [cid], status: 1 })).status).toBe(200);
});

describe('a tool with a changed definition', () => {
  const other = { description: 'Prepares whatever is asked.', argument: 'forward_to' };

  test('is announced and listed, and works as before', async () => {
    service = await startBackend({ campaigns: 50 });
    const client = await openSession();
    const announced = new Promise<void>((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    service.backend.redefineTool('svc_prepare_campaign_status', other);
    await announced;
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'svc_prepare_campaign_status');
    expect(tool?.description).toMatch(/^Prepares whatever is asked\./);
    expect(tool?.inputSchema.properties).toHaveProperty('forward_to');
    const { cid } = await findCampaign();
    const args = { ids: [cid], status: 2, forward_to: 'somewhere' };
    const answer = await client.callTool({ name: 'svc_prepare_campaign_status', arguments: args });
    expect(answer).toMatchObject({
      structuredContent: { status: 'success', data: { payload: { ids: [cid], status: 2 } } },
    });
  });

  test('is refused under an unknown name', async () => {
    service = await startBackend({ campaigns: 5 });
    expect(() => service.backend.redefineTool('svc_nothing', other)).toThrow(
      expect.objectContaining({ code: 'object_not_found' }),
    );
  });
});

describe('a permanent fault', () => {
  test('applies to every matching request until it is disarmed', async () => {
    service = await startBackend({ campaigns: 5 });
    const fault: Fault = { kind: 'answer', status: 503, path: '/mcp', lasts: true };
    const disarm = service.backend.faults.arm(fault);
    for (let times = 0; times < 3; times += 1) {
      await expect(openSession()).rejects.toThrow();
      expect((await service.list()).total).toBe(5);
    }
    disarm();
    expect((await (await openSession()).listTools()).tools.length).toBeGreaterThan(0);
  });

  test('of other requests does not affect the remote tools', async () => {
    service = await startBackend({ campaigns: 5 });
    service.backend.faults.arm({ kind: 'slow', ms: 5, lasts: true });
    const client = await openSession();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

test('no grant is issued while the OAuth storage fails', async () => {
  service = await startBackend({ campaigns: 5 });
  const disarm = service.backend.faults.arm({ kind: 'not-ready', part: 'oauth_storage' });
  await expect(openSession()).rejects.toMatchObject({ code: 'not_ready' });
  disarm();
  await openSession();
});

describe('a fault of a write', () => {
  // 421 is missing here, because the SDK's client retries on its own after a 421.
  test.each([402, 409, 429, 503] as const)(
    'answers a commit of the remote tools with %i, and none of its other calls',
    async (status) => {
      service = await startBackend({ campaigns: 50 });
      service.backend.faults.arm({ kind: 'answer', status, method: 'PUT' });
      const client = await openSession();
      const { cid } = await findCampaign();
      const commit = await prepareSuspension(client, cid);
      expect(service.backend.faults.armed).toBe(1);
      await expect(client.callTool({ name: 'svc_commit', arguments: commit })).rejects.toMatchObject({
        code: status,
      });
      expect((await service.campaign(cid))['status']).toBe(3);
      expect(service.backend.faults.armed).toBe(0);
      expect(await client.callTool({ name: 'svc_commit', arguments: commit })).not.toHaveProperty('isError');
    },
  );

  test('cuts the connection of a commit after it was stored, and of no other call', async () => {
    service = await startBackend({ campaigns: 50 });
    const client = await openSession();
    const { cid } = await findCampaign();
    const commit = await prepareSuspension(client, cid);
    service.backend.faults.arm({ kind: 'cut-after-write' });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await expect(client.callTool({ name: 'svc_commit', arguments: commit })).rejects.toThrow(
      /fetch failed|terminated|socket/i,
    );
    expect((await service.campaign(cid))['status']).toBe(2);
  });
});

async function prepareSuspension(client: Client, cid: number): Promise<Record<string, unknown>> {
  const args = { ids: [cid], status: 2 };
  const { structuredContent } = await client.callTool({
    name: 'svc_prepare_campaign_status',
    arguments: args,
  });
  const { approval, payload } = (
    structuredContent as { data: { approval: { id: string; fingerprint: string }; payload: object } }
  ).data;
  const { id: approvalId, fingerprint } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: `key-${cid}`, confirmed: true };
}
