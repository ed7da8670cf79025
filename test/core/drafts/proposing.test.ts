import { describe, expect, test } from 'vitest';
import type { AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  addSecondProfile,
  campaignNow,
  changeElsewhere,
  createWorld,
  findCampaign,
  holdNext,
  type World,
} from '#test/core/proposals/world.ts';
import { check, checked, createDraftWorld, draft, draftsOf, propose } from './drafts-of.ts';

type Proposed = AppOutput<'drafts.propose'>['proposed'];

async function proposeOne(world: World, cid: number): Promise<string> {
  const { proposed, refused } = await propose(world, [cid]);
  expect(refused).toEqual([]);
  return only(proposed);
}

function only([one]: Proposed): string {
  if (one === undefined) throw new Error('Nothing was proposed');
  return one.proposalId;
}

const stateOf = async (world: World, id: string) =>
  (await world.core.handlers['proposals.get']({ id })).state;
const returnedOf = async (world: World, cid: number) => (await draftsOf(world, cid))?.returned?.reason;

async function three(world: World, cid: number): Promise<[number, number, number]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const [second, third] = data.filter((row) => row.status === 1 && row.cid !== cid);
  if (second === undefined || third === undefined) throw new Error('Too few campaigns');
  return [cid, second.cid, third.cid];
}

test('of three campaigns with drafts, the two valid ones are proposed together and the invalid one stays a draft with the reason', async () => {
  const { world, cid } = await createDraftWorld();
  const [first, second, third] = await three(world, cid);
  await draft(world, first, { name: 'First', status: 3 });
  await draft(world, second, { payout: 99 });
  await draft(world, third, { name: 'Third' });
  const { proposed, refused } = await propose(world, [first, second, third, 77]);
  expect(new Set(proposed.map((one) => one.cid))).toEqual(new Set([first, third]));
  const list = { which: 'waiting', before: null, limit: 10, order: 'risk' } as const;
  const { items } = await world.core.handlers['proposals.list'](list);
  expect(proposed.map(({ proposalId }) => proposalId)).toEqual(items.map(({ id }) => id));
  expect(refused.map((one) => one.cid)).toEqual([second, 77]);
  expect(refused[0]?.message).toContain('Bid must be between');
  expect(refused[0]?.fields).toMatchObject([{ field: 'payout' }]);
  expect(refused[1]?.fields).toEqual([]);
  expect((await draftsOf(world, second))?.proposalId).toBeNull();

  // Changes of fields and status of one campaign are a single request and a single decision.
  const id = proposed.find((one) => one.cid === first)?.proposalId ?? '';
  const { changes } = await world.core.handlers['proposals.get']({ id });
  expect(changes.map(({ field }) => field)).toEqual(['name', 'status']);
  expect(await draftsOf(world, first)).toMatchObject({ proposalId: id, returned: null });
  expect(world.puts()).toBe(0);
});

test('drafts under review cannot be edited, undone or proposed again, and other drafts can', async () => {
  const { world, cid } = await createDraftWorld();
  const [first, second] = await three(world, cid);
  await draft(world, first, { name: 'First' });
  await proposeOne(world, first);
  await expect(draft(world, first, { payout: 0.1 })).rejects.toMatchObject({ code: 'draft_proposed' });
  await expect(world.core.handlers['drafts.undo']({})).rejects.toMatchObject({ code: 'draft_proposed' });
  const again = await propose(world, [first]);
  expect(again).toMatchObject({ proposed: [], refused: [{ cid: first }] });
  await draft(world, second, { name: 'Second' });
  await world.core.handlers['drafts.undo']({});
  expect(await draftsOf(world, second)).toBeUndefined();
});

test('campaigns that only change to the same status are one proposal', async () => {
  const { world, cid } = await createDraftWorld();
  const [first, second, third] = await three(world, cid);
  for (const one of [first, second]) await draft(world, one, { status: 3 });
  await draft(world, third, { status: 2 });
  const { proposed } = await propose(world, [first, second, third]);
  const ids = new Set(proposed.map(({ proposalId }) => proposalId));
  expect(ids.size).toBe(2);
  const id = only(proposed);
  expect(await world.core.handlers['proposals.get']({ id })).toMatchObject({ operation: 'campaign.status' });
  await world.approve(await world.look(id));
  expect((await campaignNow(world, second))['status']).toBe(3);
  await expect.poll(() => draftsOf(world, second)).toBeUndefined();
  expect(await draftsOf(world, third)).toBeDefined();
});

test('after the approval, drafts show that their change is being sent, and the page is notified', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { name: 'First' });
  const id = await proposeOne(world, cid);
  expect(await draftsOf(world, cid)).toMatchObject({ proposalId: id, proposalState: 'proposed' });
  const display = await world.look(id);
  const put = holdNext(world, { method: 'PUT' });
  const changed: number[][] = [];
  world.core.subscribe((event) => void (event.kind === 'drafts.changed' && changed.push(event.cids)));
  const approved = world.approve(display);
  await put.arrived;
  await expect.poll(() => changed).toContainEqual([cid]);
  expect(await draftsOf(world, cid)).toMatchObject({ proposalId: id, proposalState: 'intent' });
  put.letGo();
  await approved;
  await expect.poll(() => draftsOf(world, cid)).toBeUndefined();
});

test('a draft that is edited while its proposal is prepared is not proposed', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { name: 'First' });
  world.service.faults.arm({
    kind: 'meanwhile',
    path: String(cid),
    run: () => draft(world, cid, { name: 'Second' }),
  });
  // The edit reads the campaign itself, after the read that proposing waits for.
  const { proposed, refused } = await propose(world, [cid]);
  expect([...proposed, ...refused]).toHaveLength(1);
  const { proposalId, fields } = (await draftsOf(world, cid)) ?? {};
  if (proposalId === null) expect(refused[0]?.message).toContain('changed while');
  else expect(JSON.stringify(fields)).toContain('Second');
});

describe('the review of drafts ends when their proposal is', () => {
  test('verified, which deletes the drafts and their steps', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Stored' });
    await world.approve(await world.look(await proposeOne(world, cid)));
    expect((await campaignNow(world, cid))['name']).toBe('Stored');
    await expect.poll(() => draftsOf(world, cid)).toBeUndefined();
    const { history } = await world.core.handlers['drafts.get']({ cids: null });
    expect(history).toEqual({ undo: null, redo: null });
  });

  test('denied, which returns the drafts with the reason until the next edit', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Denied' });
    const id = await proposeOne(world, cid);
    await world.deny(await world.look(id), 'Not today');
    await expect.poll(() => returnedOf(world, cid)).toBe('You denied it: Not today');
    expect(await draftsOf(world, cid)).toMatchObject({
      proposalId: null,
      fields: { name: { operations: [{}] } },
    });
    await draft(world, cid, { name: 'Better' });
    expect((await draftsOf(world, cid))?.returned).toBeNull();
    await proposeOne(world, cid);
  });

  test('refused by the service, and each field that it named shows the reason until its draft changes', async () => {
    const { world, cid } = await createDraftWorld();
    const refusedFields = async () =>
      (await draftsOf(world, cid))?.returned?.fields.map(({ field }) => field);
    await draft(world, cid, { payout: 0.2, name: 'Refused', d_revenue: 1_000 });
    const display = await world.look(await proposeOne(world, cid));
    const errors = ['payout', 'd_revenue', 'title'].map((field) => {
      return { field, code: 'out_of_range', message: `Not this ${field}.` };
    });
    world.service.faults.arm({ kind: 'answer', status: 422, method: 'PUT', errors });
    await world.approve(display);
    await expect.poll(() => returnedOf(world, cid)).toContain('“Not this payout.”');
    expect((await draftsOf(world, cid))?.returned?.fields).toEqual(
      errors.map(({ field, message }) => ({ field, message: `“${message}”` })),
    );
    await draft(world, cid, { name: 'Another name' });
    expect(await refusedFields()).toEqual(['payout', 'd_revenue', 'title']);
    await draft(world, cid, { payout: 0.3 });
    expect(await refusedFields()).toEqual(['d_revenue', 'title']);
    await world.core.handlers['drafts.undo']({});
    expect(await refusedFields()).toEqual(['payout', 'd_revenue', 'title']);
    const again = await world.restart();
    expect((await draftsOf(again, cid))?.returned?.fields).toHaveLength(3);
    await draft(again, cid, { payout: 0.3, d_revenue: 900, title: 'Another title' });
    expect((await draftsOf(again, cid))?.returned).toBeNull();
  });

  test('withdrawn', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Withdrawn' });
    await world.core.handlers['proposals.withdraw']({ id: await proposeOne(world, cid) });
    await expect.poll(() => returnedOf(world, cid)).toContain('withdrawn');
  });

  test('expired, even while the program does not run, or continues with a successor that is prepared again', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Expired' });
    const id = await proposeOne(world, cid);
    await world.core.dispose();
    world.clock.advance(25 * 60 * 60_000);
    const again = await world.restart();
    again.clock.advance(1_000);
    await expect.poll(() => stateOf(again, id)).toBe('expired');
    await expect.poll(() => returnedOf(again, cid)).toContain('expired');
    const { id: successor } = await again.core.handlers['proposals.prepareAgain']({ id });
    await expect.poll(async () => (await draftsOf(again, cid))?.proposalId).toBe(successor);
    await again.approve(await again.look(successor));
    await expect.poll(() => draftsOf(again, cid)).toBeUndefined();
  });

  test('outdated, continues with its successor, or returns the drafts after a conflict', async () => {
    const { world, cid } = await createDraftWorld();
    await draft(world, cid, { name: 'Mine' });
    const display = await world.look(await proposeOne(world, cid));
    await changeElsewhere(world, cid, { d_revenue: 77 });
    await world.approve(display);
    const successor = await expect
      .poll(async () => (await draftsOf(world, cid))?.proposalId)
      .not.toBe(display.proposal.id)
      .then(async () => (await draftsOf(world, cid))?.proposalId ?? '');
    const next = await world.look(successor);
    await changeElsewhere(world, cid, { name: 'Theirs' });
    await world.approve(next);
    await expect.poll(() => returnedOf(world, cid)).toMatch(/changed/);
    expect(await checked(world, cid)).toMatchObject({ state: 'conflict' });
  });

  test('stored in part, and what was not stored stays a draft with the reason, for several campaigns and several fields', async () => {
    const { world, cid } = await createDraftWorld();
    const [first, second, third] = await three(world, cid);
    for (const one of [first, second, third]) await draft(world, one, { status: 3 });
    const ofStatus = only((await propose(world, [first, second, third])).proposed);
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'PUT',
      run: () => changeElsewhere(world, second, { status: 1 }),
    });
    await world.approve(await world.look(ofStatus));
    await expect.poll(() => stateOf(world, ofStatus)).toBe('differs');
    await expect
      .poll(() => returnedOf(world, second))
      .toBe('The service did not store what was approved: Status.');
    for (const one of [first, third]) expect(await draftsOf(world, one)).toBeUndefined();
    await world.approve(await world.look(await proposeOne(world, second)));
    await expect.poll(() => draftsOf(world, second)).toBeUndefined();
    expect((await campaignNow(world, second))['status']).toBe(3);

    await draft(world, first, { payout: 0.2, name: 'Stored' });
    const display = await world.look(await proposeOne(world, first));
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'PUT',
      run: () => changeElsewhere(world, first, { payout: 0.3 }),
    });
    await world.approve(display);
    await expect
      .poll(() => returnedOf(world, first))
      .toBe('The service did not store what was approved: Bid.');
    expect(Object.keys((await draftsOf(world, first))?.fields ?? {})).toEqual(['payout']);
  });

  test('approved or denied as a member of a batch', async () => {
    const { world, cid } = await createDraftWorld();
    const [first, second] = await three(world, cid);
    for (const one of [first, second]) await changeElsewhere(world, one, { enable_budget: 1, d_revenue: 40 });
    for (const one of [first, second]) await draft(world, one, { d_revenue: 41 });
    const { proposed } = await propose(world, [first, second]);
    const ids = proposed.map(({ proposalId }) => proposalId);
    const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
    await world.approve(await world.look(id));
    await expect
      .poll(async () => (await world.core.handlers['drafts.get']({ cids: null })).campaigns)
      .toEqual([]);
    expect((await campaignNow(world, second))['d_revenue']).toBe(41);
  });
});

test('drafts belong to one account of one profile and are deleted with the profile', async () => {
  const world = await createWorld({ campaigns: 12, host: 'desktop' });
  const { cid } = await findCampaign(world, () => true);
  await draft(world, cid, { name: 'Of Demo' });
  const id = await addSecondProfile(world);
  await world.core.handlers['profiles.switch']({ id });
  const empty = { campaigns: [], history: { undo: null, redo: null }, newestStep: null };
  expect(await world.core.handlers['drafts.get']({ cids: null })).toEqual(empty);
  const of = async (token: string) =>
    world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value: token });
  await draft(world, cid, { name: 'Before the account was known' });
  const { memberToken, accounts } = world.service.issueDemoCredentials();
  await of(memberToken);
  expect(await draftsOf(world, cid)).toMatchObject({ fields: { name: {} } });
  expect((await check(world)).map(({ state }) => state)).toEqual(['ready']);
  await of(accounts.neighbour.memberToken ?? '');
  expect(await world.core.handlers['drafts.get']({ cids: null })).toEqual(empty);
  await of(memberToken);
  expect(await draftsOf(world, cid)).toBeDefined();
  await world.core.handlers['profiles.remove']({ id });
  expect((await draftsOf(world, cid))?.fields['name']?.operations).toEqual([
    { kind: 'set', value: 'Of Demo' },
  ]);
});

test('an outage of the service stops proposing, and every draft stays', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { name: 'Away' });
  world.service.faults.arm({ kind: 'answer', status: 500, path: String(cid) });
  await expect(propose(world, [cid])).rejects.toBeInstanceOf(AppError);
  world.service.faults.arm({ kind: 'answer', status: 500, path: String(cid) });
  expect((await checked(world, cid)).state).toBe('failed');
  expect((await draftsOf(world, cid))?.proposalId).toBeNull();
});
