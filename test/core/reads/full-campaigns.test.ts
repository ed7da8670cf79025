import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#core/connections/index.ts';
import { createFullCampaigns } from '#core/reads/full-campaigns.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { CampaignEdit } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { inputFor, openDesktop, startLive, tokenOf } from '#test/core/connections/live-world.ts';
import type { World } from '#test/core/proposals/world.ts';
import { type BrokenAnswer, startBrokenService } from '#test/servers/broken-service.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

let live: RunningBackend;
let cids: number[];
const ofCampaign = /\/login\/campaigns\/(\d+)$/;

beforeAll(async () => {
  live = await startLive({ campaigns: 40 });
  cids = (await live.list('?perPage=200&order=asc&sort=cid')).data.map(({ cid }) => cid);
});
afterAll(() => live.dispose());

const answer = (status: number, headers: BrokenAnswer['headers'] = {}): BrokenAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ status: 'error', message: 'No' }),
});

/** Opens the desktop with an active live profile. The test answers some of the reads of campaigns. */
async function openBroken(instead: (cid: number) => BrokenAnswer | 'silence' | null) {
  const { addresses, received } = await startBrokenService(live.port, {
    instead({ path }) {
      const cid = ofCampaign.exec(path)?.[1];
      return cid === undefined ? null : instead(Number(cid));
    },
  });
  const world = await openDesktop();
  const { handlers } = world.core;
  const { id } = await handlers['profiles.add']({ ...inputFor(live), ...addresses });
  await handlers['profiles.switch']({ id });
  await handlers['profiles.keepCredential']({ id, name: 'memberToken', value: tokenOf(live, 'buyer') });
  const asked = () => received.filter(({ path }) => ofCampaign.test(path)).length;
  return { world, id, asked };
}

const stateOf = ({ core }: World) => core.handlers['campaigns.fullState']({});

async function load(world: World, wanted: number[] | null = null): Promise<AppOutput<'campaigns.fullState'>> {
  await world.core.handlers['campaigns.loadFull']({ cids: wanted, again: false });
  await expect.poll(async () => (await stateOf(world)).isRunning).toBe(false);
  return stateOf(world);
}

describe('loading all campaigns in full', () => {
  test.each<[string, BrokenAnswer]>([
    ['asks for a long pause', answer(429, { 'retry-after': '120' })],
    ['does not take the token any more', answer(401)],
    ['does not allow the token the campaigns', answer(403)],
    ['is somewhere else', answer(421)],
    ['fails with each of them', answer(500)],
  ])('ends and keeps what was read if the service %s', async (_what, refusal) => {
    const { world, asked } = await openBroken((cid) => (cids.indexOf(cid) < 10 ? null : refusal));
    const { loaded, failure } = await load(world);
    // A failed read also ends the reads that run at the same time.
    expect([loaded > 6, loaded <= 10]).toEqual([true, true]);
    expect(failure?.message).toBeTruthy();
    expect(asked()).toBeLessThanOrEqual(10 + 8);
  });

  test.each([404, 500, 400])(
    'continues after %i for one campaign, and names that campaign',
    async (status) => {
      const { world } = await openBroken((cid) => (cids.indexOf(cid) === 10 ? answer(status) : null));
      expect(await load(world)).toMatchObject({
        loaded: 39,
        done: 40,
        failed: [{ cid: cids[10], isUnknown: status === 404 }],
        failure: null,
      });
    },
  );

  test('continues after 403 for one of the requested campaigns, which may belong to another account', async () => {
    const { world } = await openBroken((cid) => (cids.indexOf(cid) === 1 ? answer(403) : null));
    const wanted = cids.slice(0, 20);
    expect(await load(world, wanted)).toMatchObject({
      loaded: 19,
      failed: [{ cid: cids[1] }],
      failure: null,
    });
  });

  test('stops when another profile becomes active, which loads its own campaigns immediately', async () => {
    const { world, id, asked } = await openBroken((cid) => (cids.indexOf(cid) < 6 ? null : 'silence'));
    await world.core.handlers['campaigns.loadFull']({ cids: null, again: false });
    await expect.poll(async () => [(await stateOf(world)).loaded, asked()]).toEqual([6, 10]);
    await world.core.handlers['profiles.switch']({ id: 'demo' });
    expect(await stateOf(world)).toMatchObject({ isRunning: false, total: 0, loaded: 0 });
    expect(await load(world)).toMatchObject({ total: 12, loaded: 12, failure: null });
    await world.core.handlers['profiles.switch']({ id });
    expect(await stateOf(world)).toMatchObject({ isRunning: false, loaded: 6 });
    expect(asked()).toBe(10);
  });

  test('is not running in another profile, even if nothing was loaded there', async () => {
    const { world, id } = await openBroken(() => null);
    expect(await load(world)).toMatchObject({ total: 40, loaded: 40 });
    await world.core.handlers['profiles.switch']({ id: 'demo' });
    expect(await stateOf(world)).toMatchObject({ done: 0, total: 0, loaded: 0 });
    await world.core.handlers['profiles.switch']({ id });
    expect(await stateOf(world)).toMatchObject({ done: 40, total: 40, loaded: 40 });
  });
});

test('equal values of campaigns are stored once in memory, even after a campaign is read again', async () => {
  const types = { 3: { name: 'Push', pricing: 'CPC', minBid: 0.005, maxBid: 2.5 } };
  const get = async (cid: number) => {
    const raw = { campaign: { cid, geo: ['DE'] }, campaign_types: types, settings: {} };
    return { raw, edit: structuredClone(raw) as unknown as CampaignEdit };
  };
  const connection = { profile: { id: 'p' }, member: { get } } as unknown as Connection;
  const full = createFullCampaigns({
    connections: { current: () => connection, of: () => connection },
    campaignCache: { campaign: () => null, keepCampaign: () => {} },
    clock: createManualClock(),
    onChange: () => {},
  });
  const loaded = async (): Promise<(CampaignEdit | undefined)[]> => {
    full.load([7, 8]);
    await full.settled();
    return [full.find(7)?.edit, full.find(8)?.edit];
  };
  const [first, second] = await loaded();
  expect(second).toEqual({ campaign: { cid: 8, geo: ['DE'] }, campaign_types: types, settings: {} });
  expect(second?.campaign_types).toBe(first?.campaign_types);
  expect(second?.campaign['geo']).toBe(first?.campaign['geo']);
  const [again] = await loaded();
  expect(again).toBe(first);
  await full.dispose();
});

describe('a campaign that changes during its read', () => {
  /** The module with a member client whose reads the test answers. */
  function heldReads() {
    const reads: PromiseWithResolvers<{ raw: JsonObject; edit: CampaignEdit }>[] = [];
    const kept: unknown[] = [];
    const get = () => {
      const read = Promise.withResolvers<{ raw: JsonObject; edit: CampaignEdit }>();
      reads.push(read);
      return read.promise;
    };
    const connection = { profile: { id: 'p' }, member: { get } } as unknown as Connection;
    const full = createFullCampaigns({
      connections: { current: () => connection, of: () => connection },
      campaignCache: { campaign: () => null, keepCampaign: (_profile, _cid, raw) => void kept.push(raw) },
      clock: createManualClock(),
      onChange: () => {},
    });
    const answer = async (at: number, name: string): Promise<void> => {
      await expect.poll(() => reads.length).toBeGreaterThan(at);
      reads[at]?.resolve({ raw: { name }, edit: { name } as unknown as CampaignEdit });
      await setImmediate();
    };
    return { full, kept, answer };
  }

  test.each([
    ['before', [1, 0]],
    ['after', [0, 1]],
  ])(
    'has the values of the read after the change, whether that is answered %s the earlier read',
    async (_when, order) => {
      const { full, kept, answer } = heldReads();
      full.load([7]);
      await setImmediate();
      full.refresh([7]);
      for (const at of order) await answer(at, at === 0 ? 'Old' : 'New');
      await full.settled();
      expect(full.find(7)?.edit).toEqual({ name: 'New' });
      expect(kept.at(-1)).toEqual({ name: 'New' });
      await full.dispose();
    },
  );

  test('is not read again if it was never read', async () => {
    const { full, kept } = heldReads();
    full.refresh([7]);
    await full.dispose();
    expect([full.find(7), kept]).toEqual([null, []]);
  });
});
