import { describe, expect, test } from 'vitest';
import { maxWaiting } from '#core/proposals/index.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { prepareUpdate } from '#core/proposals/operations/update.ts';
import { campaignNow, createWorld, findCampaign, proposeBid } from '../world.ts';
import type { FieldMove } from '#shared/contract/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

describe('a prepared update', () => {
  test('shows both values of a field that changed while the person was editing', async () => {
    const world = await createWorld();
    const { cid, payout } = await findCampaign(world, ({ status }) => status === 1);
    const changes = [
      { field: 'name', from: 'What it was called', to: 'Mine' },
      { field: 'payout', from: payout, to: payout * 2 },
    ];
    await expect(prepareUpdate(world.other, { cid, changes }, defaultFormats)).rejects.toMatchObject({
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

  test('is refused with every invalid field: unknown and fixed fields, values outside limits, a status that members cannot set', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { cid, name, payout } = await findCampaign(world, ({ status }) => status === 1);
    const { cid: pending } = await findCampaign(world, ({ status }) => status === 0);
    const refused = async (changes: FieldMove[], failure: object, of = cid): Promise<void> =>
      expect(prepareUpdate(world.other, { cid: of, changes }, defaultFormats)).rejects.toMatchObject(failure);
    const failing = (...fields: object[]) => ({ code: 'validation_failed', fields });

    await refused(
      [
        { field: 'name', from: name, to: 'x'.repeat(256) },
        { field: 'payout', from: payout, to: 1e9 },
      ],
      failing({ field: 'name' }, { field: 'payout' }),
    );
    for (const field of ['no_such_field', '__proto__']) {
      await refused([{ field, from: null, to: 1 }], failing({ field, code: 'unknown_field' }));
    }
    for (const field of ['cid', 'uid']) {
      await refused([{ field, from: 1, to: 2 }], failing({ field, code: 'not_editable' }));
    }
    await refused([{ field: 'status', from: 0, to: 1 }], failing({ field: 'status' }), pending);
    await refused([{ field: 'payout', from: payout, to: payout }], { code: 'nothing_to_change' });
    await refused([{ field: 'name', from: 'a', to: 'b' }], { code: 'campaign_not_found' }, 999_999_999);
  });
});

test('a proposal shows what changes, what stays unchanged, and the exact payload', async () => {
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

describe('a flood of proposals', () => {
  test('is refused when the queue is full, and accepted again after one was decided', async () => {
    const world = await createWorld();
    const { cid } = await findCampaign(world, ({ status }) => status === 1);
    const pause = () => world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
    const { id } = await pause();
    const codes: string[] = [];
    for (let round = 0; round < 11; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 10 }, pause));
      codes.push(...results.map((result) => (result.status === 'fulfilled' ? 'waits' : result.reason.code)));
    }
    expect(codes).toEqual(codes.map((_code, at) => (at < maxWaiting - 1 ? 'waits' : 'too_many_waiting')));
    await expect(pause()).rejects.toMatchObject({ code: 'too_many_waiting' });
    await world.core.handlers['proposals.withdraw']({ id });
    await expect(pause()).resolves.toBeDefined();
  });
});

test('undecided and past proposals are listed separately, newest first or by risk, page by page', async () => {
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
  const byRisk = { which: 'waiting', before: null, limit: 2, order: 'risk' } as const;
  expect(await list({ ...byRisk, by: { kind: 'person', agentId: null } })).toMatchObject({
    total: 3,
    items: { length: 2 },
    proposers: [{ kind: 'person', name: 'You', agentId: null, count: 3 }],
  });
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

test('pages are notified of every step once it is on disk', async () => {
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
