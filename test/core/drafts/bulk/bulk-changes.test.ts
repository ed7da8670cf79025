import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type BulkEdit, membersOf, withDraft } from '#shared/drafts/index.ts';
import { findCampaign } from '#test/core/proposals/world.ts';
import { bulkWorld, preview, startBulk } from './bulk-world.ts';

const raise: BulkEdit = {
  kind: 'amount',
  field: 'payout',
  change: { kind: 'percent', percent: '10' },
  floor: null,
  cap: null,
  turnsOn: false,
};

const slowPattern: BulkEdit = {
  kind: 'text',
  fields: ['clickurl'],
  find: '^(\\w|\\w\\w|.)+=$',
  replacement: '',
  isPattern: true,
  matchesCase: true,
};

test('a raise of every bid is one draft step with one title, and one undo reverts it', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const { title, counts, total, rows } = await preview(world, raise);
  expect(counts.change + counts.same + counts.problem).toBe(30);
  expect(total).toBe(30);
  expect(title).toBe(`Bid +10% in ${counts.change} campaigns`);
  const [row] = rows.filter(({ state }) => state === 'change');
  expect(row).toMatchObject({ problems: [], isDrafted: false, fields: [{ field: 'payout', label: 'Bid' }] });
  const added = await world.core.handlers['bulk.addToDrafts']({ edit: raise });
  expect(added).toMatchObject({ title, campaigns: counts.change });
  const drafts = await world.core.handlers['drafts.get']({ cids: null });
  expect(drafts.campaigns).toHaveLength(counts.change);
  expect(drafts.campaigns[0]?.fields['payout']?.operations).toEqual([{ kind: 'percent', percent: '10' }]);
  expect([drafts.history.undo, drafts.newestStep]).toEqual([title, added.step]);
  await world.core.handlers['drafts.undo']({});
  expect((await world.core.handlers['drafts.get']({ cids: null })).campaigns).toEqual([]);
  expect(world.puts()).toBe(0);
});

test('a second bulk edit is applied to the drafts, which keep the value that they started from', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const { rows } = await preview(world, raise, { show: 'change' });
  const row = rows[0]!;
  const { payout } = await findCampaign(world, ({ cid }) => cid === row.cid);
  await world.core.handlers['bulk.addToDrafts']({ edit: raise });
  const again = await preview(world, raise, { show: 'change' });
  expect(again.rows[0]).toMatchObject({ cid: row.cid, isDrafted: true });
  expect(again.rows[0]?.fields[0]?.before).toBe(row.fields[0]?.after);
  await world.core.handlers['bulk.addToDrafts']({ edit: raise });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: [row.cid] });
  expect(campaigns[0]?.fields['payout']).toEqual({
    from: payout,
    operations: [
      { kind: 'percent', percent: '10' },
      { kind: 'percent', percent: '10' },
    ],
  });
});

test('a bulk edit applies to the campaigns found when it began, and the list can show only problems', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const cids = (await preview(world, raise)).rows.slice(0, 3).map(({ cid }) => cid);
  const state = await startBulk(world, [...cids, cids[0]!]);
  expect(state).toMatchObject({ total: 3, read: 3, failed: [] });
  expect(state.filters.map(({ field }) => field)).toContain('keywords_blocklist');
  const tooHigh: BulkEdit = { ...raise, change: { kind: 'set', value: 99_999 } };
  const { counts, total, rows } = await preview(world, tooHigh, { show: 'problem', limit: 2 });
  expect(counts).toEqual({ change: 0, conflict: 0, same: 0, problem: 3 });
  expect([total, rows.length]).toEqual([3, 2]);
  expect(rows[0]?.problems.join()).toMatch(/Bid/u);
  await expect(world.core.handlers['bulk.addToDrafts']({ edit: tooHigh })).rejects.toMatchObject({
    code: 'nothing_to_change',
  });
});

test('a campaign that cannot be read is named, and the others are edited', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const { cid } = await findCampaign(world, () => true);
  const state = await startBulk(world, [cid, 99_999_999]);
  expect(state).toMatchObject({ total: 2, read: 1, failed: [{ cid: 99_999_999, isUnknown: true }] });
  expect((await preview(world, raise)).total).toBe(1);
});

test('a regular expression that takes too long is refused with its field, and the core answers meanwhile', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const state = { isOver: false };
  const slow = preview(world, slowPattern).then(
    () => null,
    (failure: unknown) => failure,
  );
  void slow.finally(() => (state.isOver = true));
  let answers = 0;
  for (; !state.isOver; answers += 1) {
    await world.core.handlers['session.get']({});
    await setImmediate();
  }
  expect(answers).toBeGreaterThan(20);
  expect(await slow).toMatchObject({
    code: 'pattern_too_slow',
    data: { field: 'clickurl' },
    fields: [{ field: 'clickurl' }],
  });
});

test('groups of a regular expression are inserted as plain values, not as another pattern', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const edit: BulkEdit = {
    ...slowPattern,
    fields: ['name'],
    find: '^(.)(.*)$',
    replacement: '$2 – $1',
  };
  const { rows } = await preview(world, edit, { show: 'change' });
  const row = rows[0]!;
  await world.core.handlers['bulk.addToDrafts']({ edit });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: [row.cid] });
  expect(campaigns[0]?.fields['name']?.operations).toEqual([
    { kind: 'set', value: `${row.name.slice(1)} – ${row.name.slice(0, 1)}` },
  ]);
  await expect(preview(world, { ...edit, find: '(' })).rejects.toMatchObject({ code: 'pattern_invalid' });
});

test('the targeting of one campaign is pasted into others, and no other field of it', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const source = await findCampaign(world, ({ geo }) => geo.length > 1);
  const edit: BulkEdit = { kind: 'paste', source: source.cid, sections: ['targeting'] };
  const { rows } = await preview(world, edit, { show: 'change' });
  expect(rows.find(({ cid }) => cid === source.cid)).toBeUndefined();
  await world.core.handlers['bulk.addToDrafts']({ edit });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: null });
  const fields = new Set(campaigns.flatMap(({ fields: drafted }) => Object.keys(drafted)));
  expect(
    [...fields].filter(
      (field) => !/^(geo|os|browser|device|categor|lang|conn|traffic_type|exch)/u.test(field),
    ),
  ).toEqual([]);
});

test('new entries of an empty list are numbers if other campaigns of the account have numbers in that list', async () => {
  const world = await bulkWorld({ campaigns: 30 });
  const list = 'publisher_blocklist';
  const exclude = (change: 'add' | 'replace'): BulkEdit => ({
    kind: 'members',
    list,
    change,
    members: ['70001'],
    limitsAll: false,
  });
  await world.core.handlers['bulk.addToDrafts']({ edit: exclude('add') });
  const { campaigns } = await world.core.handlers['drafts.get']({ cids: null });
  expect(campaigns).toHaveLength(30);
  const types = async (cid: number) => {
    const { edit } = await world.other.get(cid);
    return membersOf(
      withDraft(edit.campaign, campaigns.find((one) => one.cid === cid)?.fields ?? {})[list],
    )?.map((item) => typeof item);
  };
  for (const { cid } of campaigns) expect(new Set(await types(cid))).toEqual(new Set(['number']));

  const empty = await Promise.all(
    campaigns.map(async ({ cid }) => ({ cid, campaign: (await world.other.get(cid)).edit.campaign })),
  );
  const alone = empty.find(({ campaign }) => membersOf(campaign[list])?.length === 0)?.cid ?? 0;
  await world.core.handlers['drafts.undo']({});
  await startBulk(world, [alone]);
  await world.core.handlers['bulk.addToDrafts']({ edit: exclude('replace') });
  const [draft] = (await world.core.handlers['drafts.get']({ cids: [alone] })).campaigns;
  expect(draft?.fields[list]?.operations).toEqual([{ kind: 'set', value: [70_001] }]);
});

test('nothing can be previewed before campaigns were selected', async () => {
  const world = await bulkWorld({ campaigns: 12 });
  const restarted = await world.restart();
  expect(await restarted.core.handlers['bulk.state']({})).toMatchObject({ total: null, read: 0 });
  await expect(preview(restarted, raise)).rejects.toMatchObject({ code: 'bulk_not_started' });
});
