import { expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import {
  addSecondProfile,
  campaignNow,
  changeElsewhere,
  createWorld,
  findCampaign,
  type World,
} from '#test/core/proposals/world.ts';
import { withStore } from '#test/servers/stores.ts';
import { createDraftWorld, draft, draftsOf, propose } from './drafts-of.ts';

const dayMs = 24 * 60 * 60_000;

/** Returns the differences of each copy as the editor shows them after it has read the campaign. */
async function list(world: World, cid: number): Promise<string[][]> {
  await world.core.handlers['campaigns.get']({ cid });
  return (await world.core.handlers['copies.list']({ cid })).items.map(({ differs }) => differs);
}

const restore = (world: World, cid: number, day: string) =>
  world.core.handlers['copies.restore']({ cid, day });

async function newestDay(world: World, cid: number): Promise<string> {
  const { items } = await world.core.handlers['copies.list']({ cid });
  return items[0]?.day ?? '';
}

async function change(world: World, cid: number, fields: JsonObject): Promise<void> {
  await draft(world, cid, fields);
  await approveDrafts(world, cid);
}

async function approveDrafts(world: World, cid: number): Promise<string> {
  const { proposed, refused } = await propose(world, [cid]);
  expect(refused).toEqual([]);
  const { proposal } = await world.approve(await world.look(proposed[0]?.proposalId ?? ''));
  expect(proposal.state).toBe('verified');
  await expect.poll(() => draftsOf(world, cid)).toBeUndefined();
  return proposal.payload;
}

test('the first write of a day saves a copy of the campaign, the second saves none, and the next day has its own copy', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { name: 'Not sent' });
  expect(await list(world, cid)).toEqual([]);
  await world.core.handlers['drafts.undo']({});

  await change(world, cid, { name: 'First' });
  await change(world, cid, { name: 'Second', payout: 0.07 });
  expect(await list(world, cid)).toEqual([['Name', 'Bid']]);
  world.clock.advance(dayMs);
  await change(world, cid, { name: 'Third' });
  expect(await list(world, cid)).toEqual([['Name'], ['Name', 'Bid']]);
});

test('yesterday’s state is restored as one draft step, and its proposal contains exactly that state', async () => {
  const { world, cid, campaign } = await createDraftWorld();
  const yesterday = await campaignNow(world, cid);
  expect(yesterday).toEqual(campaign);
  await change(world, cid, { name: 'Renamed', payout: 0.07, status: 3 });
  const day = await newestDay(world, cid);
  world.clock.advance(dayMs);
  await changeElsewhere(world, cid, { name: 'Renamed by another user' });

  const puts = world.puts();
  const restored = await restore(world, cid, day);
  expect(restored).toMatchObject({ drafted: 3, skipped: [] });
  expect(restored.title).toMatch(/^Restore “Renamed by another user” of \d{1,2} [A-Z][a-z]{2}$/);
  expect((await draftsOf(world, cid))?.fields['name']).toEqual({
    from: 'Renamed by another user',
    operations: [{ kind: 'set', value: campaign['name'] }],
  });
  const { history } = await world.core.handlers['drafts.get']({ cids: null });
  expect(history).toEqual({ undo: restored.title, redo: null });
  expect(world.puts()).toBe(puts);

  expect(await approveDrafts(world, cid)).toBe(canonicalJson(yesterday));
  expect(await campaignNow(world, cid)).toEqual(yesterday);
  await expect(restore(world, cid, day)).rejects.toMatchObject({ code: 'nothing_to_change' });
});

test('a field that the campaign no longer has is named and skipped', async () => {
  const { world, cid, campaign } = await createDraftWorld();
  const { profile } = await world.core.handlers['session.get']({});
  const day = new Date(world.clock.nowMs()).toISOString().slice(0, 10);
  const body = canonicalJson({ ...campaign, name: 'Earlier', retired: 1 });
  withStore(world.folder, ({ campaignCopies }) =>
    campaignCopies.keep({ profileId: profile.id, account: profile.account }, cid, {
      day,
      atMs: world.clock.nowMs(),
      body,
    }),
  );
  expect(await list(world, cid)).toEqual([['Name', '“Retired”']]);
  expect(await restore(world, cid, day)).toMatchObject({ drafted: 1, skipped: ['“Retired”'] });
  expect(Object.keys((await draftsOf(world, cid))?.fields ?? {})).toEqual(['name']);
});

test('restoring an unknown day, or while drafts are under review, is refused', async () => {
  const { world, cid } = await createDraftWorld();
  await change(world, cid, { name: 'Renamed' });
  const day = await newestDay(world, cid);
  await expect(restore(world, cid, '2001-01-01')).rejects.toMatchObject({ code: 'copy_unknown' });
  await draft(world, cid, { payout: 0.07 });
  await propose(world, [cid]);
  await expect(restore(world, cid, day)).rejects.toMatchObject({ code: 'draft_proposed' });
});

test('copies are kept for 30 days or the number that a person sets, which is recorded in the ledger', async () => {
  const { world, cid } = await createDraftWorld();
  const { handlers } = world.core;
  await change(world, cid, { name: 'First' });
  world.clock.advance(29 * dayMs);
  await change(world, cid, { name: 'Second' });
  expect(await list(world, cid)).toHaveLength(2);
  expect(await handlers['copies.days']({})).toEqual({ days: 30 });
  await handlers['copies.setDays']({ days: 7 });
  expect(await list(world, cid)).toHaveLength(1);
  const filter = { ...everyRow, about: 'details' as const };
  const { items } = await handlers['ledger.list']({ beforeSeq: null, limit: 5, filter });
  expect(items).toMatchObject([{ actor: 'You', summary: 'Daily copies of campaigns are kept for 7 days' }]);

  await world.core.dispose();
  world.clock.advance(8 * dayMs);
  const again = await world.restart();
  expect(await again.core.handlers['copies.days']({})).toEqual({ days: 7 });
  expect(await list(again, cid)).toEqual([]);
});

test('copies belong to one account of one profile and are deleted with the profile', async () => {
  const world = await createWorld({ campaigns: 12, host: 'desktop' });
  const { handlers } = world.core;
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const id = await addSecondProfile(world);
  const use = (token: string) =>
    handlers['profiles.keepCredential']({ id, name: 'memberToken', value: token });
  const copies = async () => (await handlers['copies.list']({ cid })).items;
  const { memberToken, accounts } = world.service.issueDemoCredentials();
  await handlers['profiles.switch']({ id });
  await use(memberToken);
  await change(world, cid, { name: 'Of another profile' });
  const day = await newestDay(world, cid);
  expect(await copies()).toHaveLength(1);

  await use(accounts.neighbour.memberToken ?? '');
  expect(await copies()).toEqual([]);
  await expect(restore(world, cid, day)).rejects.toMatchObject({ code: 'copy_unknown' });
  await handlers['profiles.switch']({ id: 'demo' });
  expect(await copies()).toEqual([]);
  const account = String(accounts.buyer.uid);
  const stored = () =>
    withStore(world.folder, ({ campaignCopies: rows }) => rows.of({ profileId: id, account }, cid));
  expect(stored()).toHaveLength(1);
  await handlers['profiles.remove']({ id });
  expect(stored()).toEqual([]);
});
