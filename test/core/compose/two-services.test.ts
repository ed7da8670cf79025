import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { addMember, inputFor, openDesktop, startLive, tokenOf } from '#test/core/connections/live-world.ts';
import { createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';
import { startFakeService, type FakeAnswer } from '#test/servers/fake-service.ts';
import { withStore } from '#test/servers/stores.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

let live: RunningBackend;

beforeAll(async () => {
  live = await startLive({ campaigns: 60 });
});
afterAll(() => live.dispose());

const buyer = (): string => String(live.credentials.accounts.buyer.uid);
const neighbour = (): string => String(live.credentials.accounts.neighbour.uid);

const livePuts = (): number => live.backend.requestLog().filter(({ method }) => method === 'PUT').length;

const taken = new Set<number>();

async function untakenCampaign(): Promise<number> {
  const { data } = await live.list('?perPage=200&status=1');
  const row = data.find(({ cid }) => !taken.has(cid));
  if (row === undefined) throw new Error('Every campaign is taken');
  taken.add(row.cid);
  return row.cid;
}

async function proposeSuspension(world: World): Promise<ProposalView> {
  const cids = [await untakenCampaign()];
  return world.core.handlers['campaigns.proposeStatus']({ cids, status: 2 });
}

describe('a change is sent to the service of its own profile', () => {
  test('whichever profile is active when it is approved', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { proposal: demoChange } = await proposeBid(world);
    const { id, name } = await addMember(world, live);
    // Lists are ordered by time, so the times must differ.
    world.clock.advance(1);
    const liveChange = await proposeSuspension(world);
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
    expect(items.map(({ profile }) => [profile.kind, profile.name])).toEqual([
      ['live', name],
      ['demo', 'Northwind Media'],
    ]);
    const before = livePuts();

    const display = await world.look(demoChange.id);
    expect((await world.approve(display)).proposal.state).toBe('verified');
    expect([world.puts(), livePuts() - before]).toEqual([1, 0]);

    await handlers['profiles.switch']({ id: 'demo' });
    const { proposal } = await world.approve(await world.look(liveChange.id));
    expect(proposal).toMatchObject({ state: 'verified', profile: { id, account: buyer() } });
    expect([world.puts(), livePuts() - before]).toEqual([1, 1]);
  });

  test('and not sent at all if that profile was removed', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const { id: change } = await proposeSuspension(world);
    const display = await world.look(change);
    const before = livePuts();
    withStore(world.folder, ({ profiles }) => profiles.remove(id));
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'profile_unknown' } });
    expect([world.puts(), livePuts()]).toEqual([0, before]);
  });

  test('and not sent at all on a host that works only with Demo', async () => {
    const world = await openDesktop();
    await addMember(world, live);
    const { id: change } = await proposeSuspension(world);
    await world.core.dispose();
    const { folder, dataKey, clock } = world;
    const terminal = await createWorld({ folder, dataKey, clock });
    const before = livePuts();
    const { proposal } = await terminal.approve(await terminal.look(change));
    expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'live_on_desktop_only' } });
    expect([terminal.puts(), livePuts()]).toEqual([0, before]);
  });
});

describe('a change belongs to one account', () => {
  test('and is stopped if the profile has another account when it is approved', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const display = await world.look((await proposeSuspension(world)).id);
    const before = livePuts();
    const value = tokenOf(live, 'neighbour');
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'account_changed' } });
    expect(livePuts()).toBe(before);
  });

  test('which is taken from the campaign if nothing else has named it', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id } = await handlers['profiles.add'](inputFor(live));
    live.backend.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' });
    const value = tokenOf(live, 'buyer');
    const kept = await handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    expect(kept.account).toBe('');
    await handlers['profiles.switch']({ id });

    const change = await proposeSuspension(world);
    expect(change.profile.account).toBe(buyer());
    expect((await handlers['session.get']({})).profile.account).toBe(buyer());
    expect((await world.approve(await world.look(change.id))).proposal.state).toBe('verified');
  });

  test('which is that of the token, if the token was pasted while its account was unknown', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id } = await addMember(world, live);
    live.backend.faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' });
    const value = tokenOf(live, 'neighbour');
    const kept = await handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    expect(kept.account).toBe('');
    const { data } = await live.list('?status=1', value);
    const cids = [data[0]?.cid ?? 0];
    const change = await handlers['campaigns.proposeStatus']({ cids, status: 2 });
    expect(change.profile.account).toBe(neighbour());
    expect((await handlers['session.get']({})).profile.account).toBe(neighbour());
  });

  test.each(['update', 'status'] as const)(
    'and no %s is sent to a campaign that now belongs to another account',
    async (kind) => {
      const fake = await startFakeService();
      const world = await openDesktop();
      const { handlers } = world.core;
      const cid = await untakenCampaign();
      const list = await answerOf(`/login/campaigns/campaigns?query=${cid}`);
      const campaign = await answerOf(`/login/campaigns/${cid}`);
      fake.answerWith(list);
      const { id } = await handlers['profiles.add'](inputFor(live, { baseUrl: fake.baseUrl }));
      await handlers['profiles.switch']({ id });
      await handlers['profiles.keepCredential']({ id, name: 'memberToken', value: 'word' });

      const display = await world.look((await proposeOn(world, { kind, cid, fake, list, campaign })).id);
      fake.answerWith(ofNeighbour(kind === 'update' ? campaign : list));
      const { proposal } = await world.approve(display);
      expect(proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'account_changed' } });
      expect(fake.received.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );

  test('and a list with campaigns of two accounts is refused', async () => {
    const fake = await startFakeService();
    const world = await openDesktop();
    const [one, other] = [await untakenCampaign(), await untakenCampaign()];
    fake.answerWith(await answerOf(`/login/campaigns/campaigns?query=${one}`));
    const { id } = await world.core.handlers['profiles.add'](inputFor(live, { baseUrl: fake.baseUrl }));
    await world.core.handlers['profiles.switch']({ id });
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value: 'word' });
    fake.answerWith(
      await answerOf(`/login/campaigns/campaigns?query=${one}`),
      ofNeighbour(await answerOf(`/login/campaigns/campaigns?query=${other}`)),
      await answerOf(`/login/campaigns/${one}`),
      await answerOf(`/login/campaigns/${other}`),
    );
    const proposal = world.core.handlers['campaigns.proposeStatus']({ cids: [one, other], status: 2 });
    await expect(proposal).rejects.toMatchObject({ code: 'service_answer_unreadable' });
  });
});

test('a change prepared from one service is refused if the profile names another service by then', async () => {
  const world = await openDesktop();
  const { handlers } = world.core;
  const { id } = await addMember(world, live);
  const cid = await untakenCampaign();
  const moved = { ...inputFor(live, { apiUrl: 'https://api.example.com' }), id };
  live.backend.faults.arm({
    kind: 'meanwhile',
    method: 'GET',
    path: `/campaigns/${cid}`,
    run: () => handlers['profiles.edit'](moved),
  });
  const proposal = handlers['campaigns.proposeStatus']({ cids: [cid], status: 2 });
  await expect(proposal).rejects.toMatchObject({ code: 'profile_changed' });
  expect(live.backend.faults.armed).toBe(0);
  expect(await handlers['proposals.list']({ which: 'waiting', before: null, limit: 1 })).toMatchObject({
    total: 0,
  });
});

/** Returns the live service's answer to its buyer in the form that a fake service sends. */
async function answerOf(path: string): Promise<FakeAnswer & { kind: 'answer' }> {
  return { kind: 'answer', status: 200, body: (await live.send('GET', path)).text };
}

function ofNeighbour(answer: FakeAnswer & { kind: 'answer' }): FakeAnswer {
  const body = String(answer.body).replaceAll(`"uid":${buyer()}`, `"uid":${neighbour()}`);
  expect(body).not.toBe(answer.body);
  return { ...answer, body };
}

interface Wanted {
  kind: 'update' | 'status';
  cid: number;
  fake: Awaited<ReturnType<typeof startFakeService>>;
  list: FakeAnswer;
  campaign: FakeAnswer & { kind: 'answer' };
}

function proposeOn(
  { core: { handlers } }: World,
  { kind, cid, fake, list, campaign }: Wanted,
): Promise<ProposalView> {
  fake.answerWith(...(kind === 'update' ? [] : [list]), campaign);
  if (kind === 'status') return handlers['campaigns.proposeStatus']({ cids: [cid], status: 2 });
  const { data } = JSON.parse(String(campaign.body)) as { data: { campaign: { name: string } } };
  const changes = [{ field: 'name', from: data.campaign.name, to: 'Renamed' }];
  return proposeUpdate(handlers, { cid, changes });
}
