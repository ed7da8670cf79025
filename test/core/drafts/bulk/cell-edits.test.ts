import { expect, test } from 'vitest';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { CellEdit } from '#shared/drafts/index.ts';
import { changeElsewhere, createWorld, findCampaign, type World } from '#test/core/proposals/world.ts';
import { createDraftWorld, draft, draftsOf, propose } from '../drafts-of.ts';

const bid = (value: number): CellEdit => ({
  kind: 'amount',
  field: 'payout',
  change: { kind: 'set', value },
  floor: null,
  cap: null,
  turnsOn: true,
});
const raise: CellEdit = {
  kind: 'amount',
  field: 'payout',
  change: { kind: 'percent', percent: '10' },
  floor: null,
  cap: null,
  turnsOn: true,
};

const edit = (
  world: World,
  edits: { cid: number; edit: CellEdit }[],
  isPreview = false,
): Promise<AppOutput<'drafts.edit'>> => world.core.handlers['drafts.edit']({ edits, isPreview });

test('an edited cell becomes a draft on top of earlier drafts, and one undo reverts one edit', async () => {
  const { world, cid, campaign } = await createDraftWorld();
  await edit(world, [{ cid, edit: raise }]);
  const { cells, step } = await edit(world, [{ cid, edit: raise }]);
  expect(cells).toEqual([{ cid, state: 'change', problems: [] }]);
  const percent = { kind: 'percent', percent: '10' };
  expect((await draftsOf(world, cid))?.fields['payout']).toEqual({
    from: campaign['payout'],
    operations: [percent, percent],
  });
  const { history, newestStep } = await world.core.handlers['drafts.get']({ cids: null });
  expect([history.undo, newestStep]).toEqual(['Bid +10% in 1 campaign', step]);
  await world.core.handlers['drafts.undo']({});
  expect((await draftsOf(world, cid))?.fields['payout']?.operations).toEqual([percent]);
  expect(world.puts()).toBe(0);
});

test('typing the stored value again removes the draft, and typing an equal value stores nothing', async () => {
  const { world, cid, campaign } = await createDraftWorld();
  const stored = bid(Number(campaign['payout']));
  expect(await edit(world, [{ cid, edit: stored }])).toEqual({
    cells: [{ cid, state: 'same', problems: [] }],
    step: null,
  });
  await edit(world, [{ cid, edit: raise }]);
  await edit(world, [{ cid, edit: stored }]);
  expect(await draftsOf(world, cid)).toBeUndefined();
});

test('a value that the service would refuse is refused with its rule, and the other cells are drafted in one step', async () => {
  const world = await createWorld({ campaigns: 12 });
  const one = await findCampaign(world, ({ status }) => status === 1);
  const other = await findCampaign(world, ({ status, cid }) => status === 1 && cid !== one.cid);
  const { cells, step } = await edit(world, [
    { cid: one.cid, edit: bid(99_999) },
    { cid: other.cid, edit: raise },
    { cid: 999_999_999, edit: raise },
  ]);
  expect(cells.map(({ state }) => state)).toEqual(['problem', 'change', 'problem']);
  expect(cells[0]?.problems.join()).toMatch(/Bid/u);
  expect(cells[2]?.problems.join()).not.toBe('');
  expect(step).not.toBeNull();
  expect(await draftsOf(world, one.cid)).toBeUndefined();
  const { history } = await world.core.handlers['drafts.get']({ cids: null });
  expect(history.undo).toBe('Pasted into 1 campaign');
});

test('a preview stores nothing', async () => {
  const { world, cid } = await createDraftWorld();
  const { cells, step } = await edit(world, [{ cid, edit: raise }], true);
  expect([cells[0]?.state, step]).toEqual(['change', null]);
  expect(await draftsOf(world, cid)).toBeUndefined();
});

test('a campaign whose drafts are under review cannot be edited', async () => {
  const { world, cid } = await createDraftWorld();
  await draft(world, cid, { name: 'Another name' });
  await propose(world, [cid]);
  const { cells } = await edit(world, [{ cid, edit: raise }]);
  expect(cells).toEqual([
    {
      cid,
      state: 'problem',
      problems: ['Its drafts are under review. Decide on that change first.'],
    },
  ]);
});

test('editing a date turns the flight on, dates can be moved by days, and the list shows the stored dates', async () => {
  const { world, cid } = await createDraftWorld();
  await changeElsewhere(world, cid, { enable_time: 0 });
  const move: CellEdit = { kind: 'shiftStart', days: 1 };
  expect((await edit(world, [{ cid, edit: move }])).cells[0]?.problems).toEqual([
    'It has no start date that could be moved. Enter a date instead.',
  ]);
  await edit(world, [{ cid, edit: { kind: 'startOn', date: '2031-01-30' } }]);
  await edit(world, [{ cid, edit: move }]);
  const { fields = {} } = (await draftsOf(world, cid)) ?? {};
  expect(fields['create']?.operations).toEqual([
    { kind: 'set', value: '2031-01-30' },
    { kind: 'shiftDays', days: 1 },
  ]);
  expect(fields['enable_time']?.operations).toEqual([{ kind: 'set', value: 1 }]);
  const { items } = await world.core.handlers['campaigns.flights']({ cids: [cid, 999_999_999] });
  expect(items).toEqual([{ cid, create: '', expire: '' }]);
});
