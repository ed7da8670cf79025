import { describe, expect, test } from 'vitest';
import { maxWaiting } from '#core/proposals/index.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { prepareUpdate, type FieldChange } from '#core/proposals/operations/update/prepare.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { campaignNow, createWorld, findCampaign, proposeBid } from '../world.ts';

describe('an update that is prepared', () => {
  /** A campaign that runs, read past the gate. */
  async function prepareFor(changes: (row: CampaignRow) => FieldChange[], status = 1): Promise<unknown> {
    const world = await createWorld({ campaigns: 60 });
    const row = await findCampaign(world, (one) => one.status === status);
    return prepareUpdate(world.other, { cid: row.cid, changes: changes(row) });
  }

  test('names mine and theirs where a field changed while the person was editing', async () => {
    const conflict = prepareFor(({ payout }) => [
      { field: 'name', from: 'What it was called', to: 'Mine' },
      { field: 'payout', from: payout, to: payout * 2 },
    ]);
    await expect(conflict).rejects.toMatchObject({
      code: 'edit_conflict',
      fields: [
        {
          field: 'name',
          code: 'moved',
          message: expect.stringMatching(/What it was called.*Mine/) as string,
        },
      ],
    });
  });

  test('names every failing field at once', async () => {
    const failure = prepareFor(({ name, payout }) => [
      { field: 'name', from: name, to: 'x'.repeat(256) },
      { field: 'payout', from: payout, to: 1e9 },
    ]);
    await expect(failure).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'name' }, { field: 'payout' }],
    });
  });

  test.each([
    ['a field that the campaign does not have', 'no_such_field', null, 1, 'unknown_field'],
    ['__proto__', '__proto__', null, 1, 'unknown_field'],
    ['the campaign id', 'cid', 1, 2, 'not_editable'],
    ['the owner', 'uid', 1, 2, 'not_editable'],
  ])('never edits %s', async (_name, field, from, to, code) => {
    await expect(prepareFor(() => [{ field, from, to }])).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field, code }],
    });
  });

  test('with the same value again is nothing to change', async () => {
    const same = prepareFor(({ payout }) => [{ field: 'payout', from: payout, to: payout }]);
    await expect(same).rejects.toMatchObject({ code: 'nothing_to_change' });
  });

  test('with a status that no member may set is refused', async () => {
    await expect(prepareFor(() => [{ field: 'status', from: 0, to: 1 }], 0)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'status' }],
    });
  });

  test('of a campaign that is not there says so', async () => {
    const world = await createWorld();
    const changes = [{ field: 'name', from: 'a', to: 'b' }];
    await expect(prepareUpdate(world.other, { cid: 999_999_999, changes })).rejects.toMatchObject({
      code: 'campaign_not_found',
    });
  });
});

test('a proposal shows what changes, what stays, and the exact bytes', async () => {
  const world = await createWorld();
  const { proposal, cid, to } = await proposeBid(world, 2);
  const campaign = await campaignNow(world, cid);
  expect(JSON.parse(proposal.payload)).toEqual({ ...campaign, payout: to });
  expect(proposal.changes).toMatchObject([{ field: 'payout', factor: '×2' }]);
  expect(proposal.unchanged).toHaveLength(Object.keys(campaign).length - 1);
  expect(proposal).toMatchObject({
    proposedBy: { kind: 'person', name: 'You' },
    quotation: null,
    profile: { id: 'demo', kind: 'demo' },
    targets: [{ cid, statusBefore: 1, statusAfter: 1 }],
    risk: { bidFactor: '×2' },
  });
  expect(proposal.fingerprint).toMatch(/^[0-9a-f]{64}$/);
});

describe('a flood', () => {
  test('is stopped at so many that wait, and goes on when one was decided', async () => {
    const world = await createWorld();
    const { cid } = await findCampaign(world, ({ status }) => status === 1);
    const pause = () => world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
    const { id } = await pause();
    const results = await Promise.allSettled(Array.from({ length: maxWaiting + 10 }, pause));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxWaiting - 1);
    await expect(pause()).rejects.toMatchObject({ code: 'too_many_waiting' });
    await world.core.handlers['proposals.withdraw']({ id });
    await expect(pause()).resolves.toBeDefined();
  });
});

test('without a person’s answer nothing changes, whatever is proposed', async () => {
  const world = await createWorld({
    confirmer: { via: 'terminal', show: () => new Promise(() => {}), hide() {} },
  });
  const { proposal, cid } = await proposeBid(world);
  const before = await world.other.list({ page: 1, perPage: 200 });
  void world.core.handlers['proposals.review']({ id: proposal.id });
  await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  await world.core.handlers['proposals.settle']({ id: proposal.id });
  world.clock.advance(60_000);
  expect(world.puts()).toBe(0);
  expect(await world.other.list({ page: 1, perPage: 200 })).toEqual(before);
});

test('lists are newest first, page by page, waiting and past apart', async () => {
  const world = await createWorld();
  const { proposal: first, cid } = await proposeBid(world);
  world.clock.advance(1);
  const second = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  world.clock.advance(1);
  const third = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 2 });
  const list = world.core.handlers['proposals.list'];
  const page = await list({ which: 'waiting', before: null, limit: 2 });
  expect(page.items.map(({ id }) => id)).toEqual([third.id, second.id]);
  const rest = await list({ which: 'waiting', before: second.id, limit: 2 });
  expect(rest.items.map(({ id }) => id)).toEqual([first.id]);
  await world.core.handlers['proposals.withdraw']({ id: second.id });
  expect(await list({ which: 'past', before: null, limit: 10 })).toMatchObject({
    total: 1,
    items: [
      { id: second.id, state: 'withdrawn', title: second.title, perDay: second.risk.perDay, targetCount: 1 },
    ],
  });
  await expect(world.core.handlers['proposals.get']({ id: 'nobody' })).rejects.toMatchObject({
    code: 'proposal_not_found',
  });
});

test('pages hear of every step once it is on the disk', async () => {
  const world = await createWorld();
  const heard: AppEvent[] = [];
  const stop = world.core.subscribe((event) => void heard.push(event));
  const { proposal, cid } = await proposeBid(world);
  await world.approve(await world.look(proposal.id));
  stop();
  const count = (kind: AppEvent['kind']): number => heard.filter((event) => event.kind === kind).length;
  expect(count('proposals.changed')).toBe(6);
  expect(count('ledger.changed')).toBe(6);
  expect(heard).toContainEqual({ kind: 'campaigns.changed', cids: [cid] });
  expect(heard).toContainEqual({ kind: 'proposals.changed', id: proposal.id });
});
