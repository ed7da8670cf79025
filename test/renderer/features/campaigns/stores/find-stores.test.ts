import { describe, expect, onTestFinished, test } from 'vitest';
import { createListViewsStore, createFullStore } from '#renderer/features/campaigns/stores/list-stores.ts';
import { createNotesStore, hasUnsavedNotes, labelsOn } from '#renderer/stores/notes-store.ts';
import { createCampaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { narrows } from '#renderer/stores/campaigns/filter.ts';
import {
  type AppInput,
  type AppOutput,
  type CampaignFilter,
  type CampaignPage,
  type FoundPage,
  type FullState,
  maxCampaignNoteLength,
  noFilter,
} from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import { campaignRow } from '../../../support/campaign-row.ts';
import { fakeBridge, settled } from '../../../support/fake-bridge.ts';

const noEnd: CampaignCondition = { kind: 'noEnd' };
const inBrazil: CampaignCondition = { kind: 'country', codes: ['BR'], orAll: false };

const coverage: FoundPage['coverage'] = {
  needsFull: true,
  total: 400,
  loaded: 312,
  unknown: 21,
  oldestReadAtMs: 1,
};

const plain = (): CampaignPage => ({
  rows: [campaignRow(1)],
  total: 400,
  page: 1,
  readAtMs: 1,
  cached: null,
});
const found = (): FoundPage => ({ ...plain(), rows: [campaignRow(2)], total: 1, coverage });

function open(answers: Parameters<typeof fakeBridge>[0] = {}) {
  const bridge = fakeBridge({ 'campaigns.page': plain, 'campaigns.find': found, ...answers });
  return { bridge, store: createCampaignsStore(bridge) };
}

describe('conditions of the list', () => {
  test('are evaluated by the core, which reports how many campaigns it could search; without conditions the service filters', async () => {
    const { bridge, store } = open();
    store.getState().setConditions([noEnd]);
    await settled();
    expect(store.getState()).toMatchObject({ conditions: [noEnd], coverage, all: 400, loading: false });
    expect(bridge.asked.at(-1)).toMatchObject({ name: 'campaigns.find', input: { again: false } });
    store.getState().setConditions([]);
    await settled();
    expect(bridge.asked.at(-1)?.name).toBe('campaigns.page');
    expect(store.getState()).toMatchObject({ coverage: null, all: 400 });
  });

  test.each<[string, Partial<CampaignFilter>, 'campaigns.page' | 'campaigns.find']>([
    ['words, because the service searches names for one text', { query: 'push brazil' }, 'campaigns.find'],
    ['one word', { query: 'brazil' }, 'campaigns.find'],
    ['an exact ID', { query: ' 1207 ' }, 'campaigns.page'],
    ['a status', { status: 1 }, 'campaigns.page'],
    [
      'the order of budgets, because the service only sorts by stored budgets',
      { sort: 'd_revenue' },
      'campaigns.find',
    ],
    ['another order', { sort: 'payout' }, 'campaigns.page'],
  ])('are not the only filters that the core evaluates: %s', async (_what, change, name) => {
    const { bridge, store } = open();
    store.getState().setFilter(change);
    await settled();
    expect(bridge.asked.map((one) => one.name)).toEqual([name]);
  });

  test('are evaluated again once on request, and not for every later page', async () => {
    const { bridge, store } = open();
    store.getState().setConditions([noEnd]);
    await settled();
    store.getState().refresh();
    await settled();
    store.getState().reload();
    await settled();
    expect(bridge.asked.map(({ input }) => (input as AppInput<'campaigns.find'>).again)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('are part of a saved filter, and clearing keeps only the order', async () => {
    const { store } = open();
    const filter = { ...noFilter, query: 'push', sort: 'name', order: 'asc' } as const;
    store.getState().applyView({ filter: { ...filter, types: [] }, conditions: [inBrazil] });
    await settled();
    expect(store.getState()).toMatchObject({ filter, conditions: [inBrazil], cursor: 0 });
    expect(narrows(store.getState().filter, store.getState().conditions)).toBe(true);
    store.getState().clearFilter();
    await settled();
    expect(store.getState()).toMatchObject({
      filter: { ...noFilter, sort: 'name', order: 'asc' },
      conditions: [],
    });
    expect(narrows(store.getState().filter, store.getState().conditions)).toBe(false);
  });

  test('show how many campaigns were read while the core reads the list', async () => {
    let read: number | null = 12_000;
    const { bridge, store } = open({
      'campaigns.types': () => [],
      'session.get': () => Promise.reject(new AppError('core_unreachable')),
      'campaigns.searchState': () => ({ read }),
    });
    onTestFinished(store.getState().start());
    bridge.emit({ kind: 'campaigns.searching' });
    await settled();
    expect(store.getState().readCount).toBe(12_000);
    read = null;
    bridge.emit({ kind: 'campaigns.searching' });
    await settled();
    expect(store.getState().readCount).toBeNull();
  });

  test('are evaluated again after changes, each kind of condition after its own event', async () => {
    const { bridge, store } = open({
      'campaigns.types': () => [],
      'session.get': () => Promise.reject(new AppError('core_unreachable')),
    });
    const stop = store.getState().start();
    const searches = (): number => bridge.asked.filter(({ name }) => name === 'campaigns.find').length;
    store.getState().setConditions([inBrazil]);
    await settled();
    bridge.emit({ kind: 'campaigns.loading' });
    bridge.emit({ kind: 'notes.changed' });
    await settled();
    expect(searches()).toBe(1);
    store.getState().setConditions([noEnd]);
    await settled();
    bridge.emit({ kind: 'campaigns.loading' });
    await settled();
    expect(searches()).toBe(3);
    store.getState().setConditions([{ kind: 'note', has: true }]);
    await settled();
    bridge.emit({ kind: 'notes.changed' });
    await settled();
    expect(searches()).toBe(5);
    stop();
  });
});

describe('selecting everything that was found', () => {
  const items = [
    { cid: 3, status: 1 },
    { cid: 9, status: 3 },
  ];

  test('selects the ids found at that moment, including rows that were not loaded', async () => {
    const { store } = open({ 'campaigns.foundIds': () => ({ items, total: 2, readAtMs: 5 }) });
    store.getState().setConditions([noEnd]);
    await settled();
    await store.getState().selectFound();
    const { selection, statuses } = store.getState();
    expect([...selection.cids]).toEqual([3, 9]);
    expect(statuses.get(9)).toEqual({ status: 3, readAtMs: 5 });
  });

  test('selects nothing if the filter was changed meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<AppOutput<'campaigns.foundIds'>>();
    const { store } = open({ 'campaigns.foundIds': () => promise });
    const selecting = store.getState().selectFound();
    store.getState().setConditions([noEnd]);
    resolve({ items, total: 2, readAtMs: 5 });
    await selecting;
    expect(store.getState()).toMatchObject({ selecting: false, selection: { cids: new Set() } });
  });

  test('is requested once, and is shown as running until it is done', async () => {
    const { promise, resolve } = Promise.withResolvers<AppOutput<'campaigns.foundIds'>>();
    const { store, bridge } = open({ 'campaigns.foundIds': () => promise });
    const selecting = store.getState().selectFound();
    await store.getState().selectFound();
    expect(store.getState().selecting).toBe(true);
    resolve({ items, total: 2, readAtMs: 5 });
    await selecting;
    expect(store.getState().selecting).toBe(false);
    expect(bridge.asked.filter(({ name }) => name === 'campaigns.foundIds')).toHaveLength(1);
  });

  test('shows the reason if it fails', async () => {
    const away = (): never => {
      throw new AppError('service_unreachable');
    };
    const { store } = open({ 'campaigns.foundIds': away });
    await store.getState().selectFound();
    expect(store.getState().failure?.code).toBe('service_unreachable');
  });
});

test('a load of all campaigns shows its progress, and a failure until the next load', async () => {
  const full = { isRunning: true, done: 3, total: 400, loaded: 3 } as FullState;
  let fails = true;
  const bridge = fakeBridge({
    'campaigns.loadFull': () => {
      if (fails) throw new AppError('service_unreachable');
      return {};
    },
    'campaigns.fullState': () => full,
  });
  const store = createFullStore(bridge);
  await store.getState().load(false);
  expect(store.getState().failure?.code).toBe('service_unreachable');
  fails = false;
  await store.getState().load(true);
  expect(store.getState()).toMatchObject({ full, failure: null });
  expect(bridge.asked.at(-2)?.input).toEqual({ cids: null, again: true });
});

test('a late answer does not show an ended load of all campaigns as running', async () => {
  const answers: (() => void)[] = [];
  let isRunning = true;
  const bridge = fakeBridge({
    'campaigns.loadFull': () => ({}),
    'campaigns.fullState': () => {
      const answer = { isRunning } as FullState;
      return new Promise((resolve) => answers.push(() => resolve(answer)));
    },
  });
  const store = createFullStore(bridge);
  onTestFinished(store.getState().start());
  const loaded = store.getState().load(false);
  await settled();
  isRunning = false;
  bridge.emit({ kind: 'campaigns.loading' });
  await settled();
  for (const answer of answers.toReversed()) {
    answer();
    await settled();
  }
  await loaded;
  expect(store.getState().full?.isRunning).toBe(false);
});

test('labels that are pressed quickly are attached one after the other, and a label is added once', async () => {
  const { bridge, answers, store } = slowLabels();
  const { assign, saveLabel } = store.getState();
  const label = { id: null, name: 'Client A', color: 'blue' } as const;
  const done = [
    assign([7], { add: ['a'] }),
    assign([7], { remove: ['b'] }),
    saveLabel(label),
    saveLabel(label),
  ];
  for (let round = 0; round < 4; round += 1) {
    await settled();
    expect(answers.length).toBeLessThanOrEqual(1);
    answers.pop()?.();
  }
  expect((await Promise.all(done)).slice(2)).toEqual([{ ...label, id: 'l1' }, null]);
  expect(bridge.asked.filter(({ name }) => name !== 'campaigns.notes')).toEqual([
    { name: 'campaigns.assignLabels', input: { cids: [7], add: ['a'], remove: [] } },
    { name: 'campaigns.assignLabels', input: { cids: [7], add: [], remove: ['b'] } },
    { name: 'campaigns.saveLabel', input: label },
  ]);
});

/** A store whose core answers requests for labels late. */
function slowLabels() {
  const answers: (() => void)[] = [];
  const later = <T>(answer: T) => new Promise<T>((resolve) => answers.push(() => resolve(answer)));
  const bridge = fakeBridge({
    'campaigns.notes': () => ({ labels: [], campaigns: [] }),
    'campaigns.assignLabels': () => later(null),
    'campaigns.saveLabel': (label) => later({ ...label, id: 'l1' }),
  });
  return { bridge, answers, store: createNotesStore(bridge) };
}

test('a label is on all, some or none of the selected campaigns', () => {
  const label = (id: string) => ({ id, name: id, color: 'blue' as const });
  const note = (cid: number, labels: string[]) => [cid, { cid, labels, note: '' }] as const;
  const labels = ['all', 'some', 'none'].map(label);
  const byCid = new Map([note(1, ['all', 'some']), note(2, ['all'])]);
  expect(labelsOn({ labels, byCid }, [1, 2]).map(({ on }) => on)).toEqual(['all', 'some', 'none']);
  expect(labelsOn({ labels, byCid }, [3]).map(({ on }) => on)).toEqual(['none', 'none', 'none']);
});

test('saved filters are read again after each save, and a refusal keeps the earlier filters', async () => {
  const view = { filter: noFilter, conditions: [], columns: null };
  let items: AppOutput<'campaigns.views'>['items'] = [];
  const bridge = fakeBridge({
    'campaigns.views': () => ({ items }),
    'campaigns.saveView': () => {
      items = [{ id: 'a', name: 'Brazil', savedAtMs: 1, view }];
      return items[0] as never;
    },
    'campaigns.removeView': () => {
      throw new AppError('storage_failed');
    },
  });
  const store = createListViewsStore(bridge);
  expect(await store.getState().save({ id: null, name: 'Brazil', view })).toBe(true);
  expect(store.getState().items).toEqual(items);
  expect(await store.getState().remove('a')).toBe(false);
  expect(store.getState()).toMatchObject({ items, refusal: { of: 'remove' } });
});

describe('a typed note', () => {
  /** A core that stores one note, and refuses while `fails` is true. */
  function core() {
    const kept = { note: '', fails: false };
    const bridge = fakeBridge({
      'campaigns.notes': () => ({
        labels: [],
        campaigns: kept.note === '' ? [] : [{ cid: 7, labels: [], note: kept.note }],
      }),
      'campaigns.setNote': async ({ note }) => {
        await settled();
        if (kept.fails) throw new AppError('storage_failed');
        kept.note = note;
        return null;
      },
    });
    return { kept, bridge, ...createNotesStore(bridge, 5) };
  }

  test('is stored after a pause, and at once when its field is left', async () => {
    const { kept, getState } = core();
    getState().typeNote(7, 'Ask before raising ');
    expect(hasUnsavedNotes(getState())).toBe(true);
    await expect.poll(() => hasUnsavedNotes(getState())).toBe(false);
    expect(kept.note).toBe('Ask before raising');
    // The trailing space is kept, because another word may follow.
    expect(getState().typed.get(7)?.text).toBe('Ask before raising ');

    getState().typeNote(7, 'Ask Ann');
    await getState().leaveNote(7);
    expect(kept.note).toBe('Ask Ann');
    expect(getState().typed.size).toBe(0);
    expect(getState().byCid.get(7)?.note).toBe('Ask Ann');
  });

  test('stays while it is refused or too long, and is stored with the next connection or when its field is left again', async () => {
    const { kept, bridge, getState } = core();
    kept.fails = true;
    getState().start();
    getState().typeNote(7, 'Ask before raising');
    await getState().leaveNote(7);
    expect(getState().typed.get(7)).toMatchObject({
      text: 'Ask before raising',
      failure: { code: 'storage_failed' },
    });
    kept.fails = false;
    bridge.connect({ kind: 'connected' });
    await expect.poll(() => kept.note).toBe('Ask before raising');

    getState().typeNote(7, 'x'.repeat(maxCampaignNoteLength + 1));
    await getState().leaveNote(7);
    expect(kept.note).toBe('Ask before raising');
    expect(hasUnsavedNotes(getState())).toBe(true);
    getState().discardNote(7);
    expect(hasUnsavedNotes(getState())).toBe(false);
  });

  test('is not lost if more is typed while it is being stored', async () => {
    const { kept, bridge, getState } = core();
    getState().typeNote(7, 'Ask');
    const left = getState().leaveNote(7);
    await Promise.resolve();
    expect(bridge.asked).toHaveLength(1);
    getState().typeNote(7, 'Ask Ann');
    await left;
    expect(getState().typed.get(7)?.text).toBe('Ask Ann');
    await expect.poll(() => kept.note).toBe('Ask Ann');
  });
});
