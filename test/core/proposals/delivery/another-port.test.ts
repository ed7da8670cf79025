import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { png } from '#test/core/backend/uploads/pictures.ts';
import { createAgentWorld, callOf, prepare, type AgentWorld } from '../tool-call/agent-world.ts';
import { campaignNow, createWorld, findCampaign } from '../world.ts';

/** Occupies the port, so that the embedded service starts on another port. */
async function take(port: number): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

const portOf = (address: string): number => Number(new URL(address).port);

test('a change of a campaign with a picture is sent as it was approved after the embedded service moved to another port', async () => {
  const world = await createWorld({ campaigns: 60 });
  const { cid, name } = await findCampaign(
    world,
    (row) => row.type_name === 'Push' && (row.status === 1 || row.status === 3),
  );
  const { id } = await proposeUpdate(world.core.handlers, {
    cid,
    changes: [{ field: 'name', from: name, to: 'Moved' }],
  });
  const before = await campaignNow(world, cid);
  await world.core.dispose();
  await take(portOf(world.core.info.serviceUrl));
  const moved = await world.restart();
  expect(portOf(moved.core.info.serviceUrl)).not.toBe(portOf(world.core.info.serviceUrl));
  const { proposal } = await moved.approve(await moved.look(id));
  expect(proposal.state).toBe('verified');
  expect(new Set(proposal.verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['stored']));
  const now = await campaignNow(moved, cid);
  expect({ ...now, icon: null, image: null }).toEqual({ ...before, name: 'Moved', icon: null, image: null });
  expect(now['icon']).not.toEqual(before['icon']);
});

test('an approval by the embedded service stays valid when the service moves to another port', async () => {
  const world = await createAgentWorld({ campaigns: 60 });
  const { cid, asked } = await prepareRenaming(world);
  const { id } = await world.gate.agents.propose(asked);
  world.gate.agents.giveReceipt(id);
  const { baseUrl } = world.connection.profile.addresses;
  await world.end();
  await take(portOf(baseUrl));
  const moved = await world.restart();
  expect(moved.connection.profile.addresses.baseUrl).not.toBe(baseUrl);
  expect(await moved.approve(id)).toMatchObject({ state: 'verified' });
  expect((await moved.connection.member.get(cid)).edit.campaign['name']).toBe('Moved');
});

async function prepareRenaming(world: AgentWorld) {
  const { data } = await world.connection.member.list({ page: 1, perPage: 60, sort: 'cid', order: 'asc' });
  const cid = data.find(({ type_name: type }) => type === 'Push')?.cid ?? 0;
  const { args, prepared } = await prepare(world, 'svc_prepare_campaign_update', {
    cid,
    changes: { name: 'Moved' },
  });
  return { cid, asked: callOf('svc_commit', args, { prepared }) };
}

test('the stored answers to an upload give the picture’s address at the current port of the embedded service', async () => {
  const world = await createAgentWorld();
  const { args, prepared } = await prepare(world, 'svc_prepare_upload', {
    kind: 'icon',
    fileName: 'icon.png',
    contentType: 'image/png',
    data: png(192, 192).toString('base64'),
  });
  const { id } = await world.gate.agents.propose(callOf('svc_commit', args, { prepared }));
  world.gate.agents.giveReceipt(id);
  expect((await world.approve(id)).state).toMatch(/^(?:verified|done)$/);
  const key = { idempotencyKey: args['idempotencyKey'] ?? null };
  const addressesIn = (answer: unknown): Set<string> =>
    new Set(JSON.stringify(answer).match(/http:\/\/127\.0\.0\.1:\d+(?=\/uploads)/g));
  const { origin } = new URL(world.connection.profile.addresses.baseUrl);
  expect(addressesIn(world.gate.agents.answerOf(id))).toEqual(new Set([origin]));
  await world.end();
  await take(portOf(origin));
  const moved = await world.restart();
  const { origin: now } = new URL(moved.connection.profile.addresses.baseUrl);
  expect(now).not.toBe(origin);
  expect(addressesIn(moved.gate.agents.answerOf(id))).toEqual(new Set([now]));
  expect(addressesIn(await moved.read('svc_get_operation', key))).toEqual(new Set([now]));
});
