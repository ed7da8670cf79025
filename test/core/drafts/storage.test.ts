import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppEvent, AppHandlers } from '#shared/app-api/index.ts';
import type { FieldDraft } from '#shared/drafts/index.ts';
import { createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { runs } from '#test/setup/property-runs.ts';

type Changes = Parameters<AppHandlers['drafts.change']>[0]['changes'];

const raise: FieldDraft = { from: 0.1, operations: [{ kind: 'percent', percent: '10' }] };

const get = (world: World, cids: number[] | null = null) => world.core.handlers['drafts.get']({ cids });
const change = (world: World, changes: Changes, title = 'Raise bids') =>
  world.core.handlers['drafts.change']({ title, changes });
const undo = (world: World) => world.core.handlers['drafts.undo']({});
const redo = (world: World) => world.core.handlers['drafts.redo']({});

test('drafts survive a restart in the order of their creation, with campaign names and undo steps', async () => {
  const world = await createWorld({ campaigns: 12 });
  const { rows } = await world.core.handlers['campaigns.page']({
    filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
    page: 1,
    perPage: 50,
  });
  const [first, second, third] = rows;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('Too few campaigns');
  const changes = [second, first].map(({ cid }) => ({ cid, field: 'payout', draft: raise }));
  const heard: AppEvent[] = [];
  world.core.subscribe((event) => void heard.push(event));
  await change(world, changes);
  const name: FieldDraft = { from: first.name, operations: [{ kind: 'set', value: 'Another' }] };
  await change(world, [{ cid: first.cid, field: 'name', draft: name }], 'Rename');
  expect(heard.filter(({ kind }) => kind === 'drafts.changed')).toEqual([
    { kind: 'drafts.changed', cids: [second.cid, first.cid] },
    { kind: 'drafts.changed', cids: [first.cid] },
  ]);

  const expected = {
    campaigns: [
      {
        cid: second.cid,
        name: second.name,
        fields: { payout: raise },
        proposalId: null,
        proposalState: null,
        returned: null,
      },
      {
        cid: first.cid,
        name: first.name,
        fields: { payout: raise, name },
        proposalId: null,
        proposalState: null,
        returned: null,
      },
    ],
    history: { undo: 'Rename', redo: null },
    newestStep: expect.any(Number) as number,
  };
  expect(await get(world)).toEqual(expected);
  const again = await world.restart();
  expect(await get(again)).toEqual(expected);
  expect((await get(again, [first.cid, third.cid])).campaigns).toEqual([expected.campaigns[1]]);
  expect(world.puts()).toBe(0);
});

test('a draft with an unreadable row is skipped and can be removed, and the others are listed', async () => {
  const world = await createWorld({ campaigns: 12 });
  const { cid } = await findCampaign(world, () => true);
  await change(world, [
    { cid, field: 'payout', draft: raise },
    { cid, field: 'name', draft: { from: 'a', operations: [{ kind: 'set', value: 'b' }] } },
  ]);
  await world.core.dispose();
  const file = join(world.folder, 'countersign.sqlite');
  changeFile(file, `UPDATE draft SET body = '{"from":1' WHERE field = 'payout'`);
  const again = await world.restart();
  expect(Object.keys((await get(again)).campaigns[0]?.fields ?? {})).toEqual(['name']);
  await change(again, [{ cid, field: 'payout', draft: null }]);
  await undo(again);
  expect(Object.keys((await get(again)).campaigns[0]?.fields ?? {})).toEqual(['name']);
});

test('at most two hundred steps are kept, and a new step discards undone ones', async () => {
  const world = await createWorld({ campaigns: 12 });
  const { cid } = await findCampaign(world, () => true);
  for (let step = 1; step <= 205; step += 1) {
    const draft: FieldDraft = { from: 0, operations: [{ kind: 'set', value: step }] };
    await change(world, [{ cid, field: 'payout', draft }], `Step ${step}`);
  }
  const { newestStep: newest } = await get(world);
  for (let step = 205; step > 5; step -= 1) {
    expect((await get(world)).history.undo).toBe(`Step ${step}`);
    await undo(world);
  }
  expect((await get(world)).history).toEqual({ undo: null, redo: 'Step 6' });
  await undo(world);
  await redo(world);
  expect((await get(world)).history).toEqual({ undo: 'Step 6', redo: 'Step 7' });
  await change(world, [{ cid, field: 'payout', draft: null }], 'Revert');
  const after = await get(world);
  expect(after).toMatchObject({ campaigns: [], history: { undo: 'Revert', redo: null } });
  // A new step after an undo removes the undone steps and never reuses their ids.
  expect(after.newestStep).toBeGreaterThan(newest ?? 0);
});

test('a change that continues the newest step is merged into it if it changes the same fields and nothing was undone', async () => {
  const world = await createWorld({ campaigns: 12 });
  const { cid } = await findCampaign(world, () => true);
  const type = (value: number, { field = 'payout', continues = true } = {}) =>
    world.core.handlers['drafts.change']({
      title: field,
      continues,
      changes: [{ cid, field, draft: { from: 0, operations: [{ kind: 'set', value }] } }],
    });
  const now = async () => (await get(world)).campaigns[0]?.fields['payout']?.operations[0];
  await type(1, { continues: false });
  await type(12);
  await type(123);
  expect(await now()).toEqual({ kind: 'set', value: 123 });
  await undo(world);
  expect((await get(world)).campaigns).toEqual([]);
  await redo(world);
  expect(await now()).toEqual({ kind: 'set', value: 123 });
  await type(5, { field: 'd_revenue' });
  await undo(world);
  expect((await get(world)).history).toEqual({ undo: 'payout', redo: 'd_revenue' });
  await type(1234);
  expect((await get(world)).history).toEqual({ undo: 'payout', redo: null });
  await undo(world);
  expect(await now()).toEqual({ kind: 'set', value: 123 });
});

test('undo and redo restore every state of the drafts, whatever was changed', async () => {
  const world = await createWorld({ campaigns: 12 });
  const operation = fc.record({
    cid: fc.integer({ min: 1, max: 4 }),
    field: fc.constantFrom('payout', 'name', 'shedule'),
    draft: fc.option(
      fc.integer().map((value): FieldDraft => ({ from: 0, operations: [{ kind: 'set', value }] })),
    ),
  });
  const steps = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  const fieldsNow = async () =>
    (await get(world)).campaigns
      .map(({ cid, fields }) => ({ cid, fields }))
      .toSorted((a, b) => a.cid - b.cid);
  await fc.assert(
    fc.asyncProperty(steps, async (made) => {
      const states = [await fieldsNow()];
      for (const changes of made) {
        await change(world, changes);
        states.push(await fieldsNow());
      }
      for (const state of states.slice(0, -1).toReversed()) {
        await undo(world);
        expect(await fieldsNow()).toEqual(state);
      }
      for (const state of states.slice(1)) {
        await redo(world);
        expect(await fieldsNow()).toEqual(state);
      }
    }),
    runs(25),
  );
});
