import { describe, expect, test } from 'vitest';
import type { ListView } from '#shared/app-api/index.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';

const notes = (world: World) => world.core.handlers['campaigns.notes']({});

const view: ListView = {
  filter: { query: '', status: null, types: [], sort: 'd_revenue', order: 'desc' },
  conditions: [{ kind: 'country', codes: ['BR'], orAll: false }],
  columns: null,
};

describe('labels and notes of campaigns', () => {
  test('are attached to campaigns, can be searched, and survive a restart', async () => {
    const world = await createWorld({ campaigns: 20 });
    const { handlers } = world.core;
    const rows = await world.other.list({ page: 1, perPage: 3 });
    const [one = 0, two = 0, three = 0] = rows.data.map(({ cid }) => cid);
    const label = await handlers['campaigns.saveLabel']({ id: null, name: 'Client A', color: 'violet' });
    await handlers['campaigns.assignLabels']({ cids: [one, two], add: [label.id], remove: [] });
    await handlers['campaigns.setNote']({ cid: three, note: '  Ask before raising  ' });

    const again = await world.restart();
    expect(await notes(again)).toEqual({
      labels: [{ id: label.id, name: 'Client A', color: 'violet' }],
      campaigns: [
        { cid: one, labels: [label.id], note: '' },
        { cid: two, labels: [label.id], note: '' },
        { cid: three, labels: [], note: 'Ask before raising' },
      ].toSorted((left, right) => left.cid - right.cid),
    });
    const found = async (conditions: ListView['conditions']) =>
      (
        await again.core.handlers['campaigns.find']({
          filter: view.filter,
          conditions,
          page: 1,
          perPage: 9,
          again: false,
        })
      ).rows
        .map(({ cid }) => cid)
        .toSorted((left, right) => left - right);
    expect(await found([{ kind: 'label', labels: [label.id], is: 'any' }])).toEqual(
      [one, two].toSorted((a, b) => a - b),
    );
    expect(await found([{ kind: 'note', has: true }])).toEqual([three]);
  });

  test('are removed from every campaign when a label is deleted, and a note when its text is deleted', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const { id } = await handlers['campaigns.saveLabel']({ id: null, name: 'Old', color: 'grey' });
    await handlers['campaigns.assignLabels']({ cids: [5, 6], add: [id], remove: [] });
    await handlers['campaigns.assignLabels']({ cids: [6], add: [], remove: [id] });
    await handlers['campaigns.setNote']({ cid: 7, note: 'x' });
    expect((await notes(world)).campaigns.map(({ cid }) => cid)).toEqual([5, 7]);
    await handlers['campaigns.removeLabel']({ id });
    await handlers['campaigns.setNote']({ cid: 7, note: '' });
    expect(await notes(world)).toEqual({ labels: [], campaigns: [] });
  });

  test('need label names that differ in more than case, and an unknown label is refused', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const { id } = await handlers['campaigns.saveLabel']({ id: null, name: 'Client A', color: 'grey' });
    const save = (id: string | null, name: string) =>
      handlers['campaigns.saveLabel']({ id, name, color: 'blue' });
    await expect(save(null, 'client a')).rejects.toMatchObject({ code: 'label_name_taken' });
    expect(await save(id, 'CLIENT A')).toMatchObject({ id, color: 'blue' });
    await expect(save('nothing', 'B')).rejects.toMatchObject({ code: 'label_unknown' });
    const assign = handlers['campaigns.assignLabels']({ cids: [1], add: ['nothing'], remove: [] });
    await expect(assign).rejects.toMatchObject({ code: 'label_unknown' });
  });
});

describe('saved views of the list', () => {
  test('survive a restart with their conditions, order and columns', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const columns = { hidden: ['uid'], order: ['name', 'labels'], widths: { name: 300 } };
    const saved = await handlers['campaigns.saveView']({
      id: null,
      name: 'Brazil',
      view: { ...view, columns },
    });
    const again = await world.restart();
    expect((await again.core.handlers['campaigns.views']({})).items).toEqual([saved]);
  });

  test('can be renamed, replaced and deleted, and have unique names', async () => {
    const world = await createWorld();
    const { handlers } = world.core;
    const { id } = await handlers['campaigns.saveView']({ id: null, name: 'A', view });
    await handlers['campaigns.saveView']({ id: null, name: 'B', view });
    await expect(handlers['campaigns.renameView']({ id, name: 'b' })).rejects.toMatchObject({
      code: 'view_name_taken',
    });
    await handlers['campaigns.renameView']({ id, name: 'C' });
    await handlers['campaigns.saveView']({ id, name: 'C', view: { ...view, conditions: [] } });
    const { items } = await handlers['campaigns.views']({});
    expect(items.map(({ name, view: saved }) => [name, saved?.conditions.length])).toEqual([
      ['B', 1],
      ['C', 0],
    ]);
    await handlers['campaigns.removeView']({ id });
    await expect(handlers['campaigns.renameView']({ id, name: 'D' })).rejects.toMatchObject({
      code: 'view_unknown',
    });
  });
});
