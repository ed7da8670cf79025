import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBulkFileStore } from '#renderer/stores/bulk/bulk-file-store.ts';
import { createBulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { emptyForm } from '#renderer/stores/bulk/bulk-form.ts';
import { createDraftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import type { AppInput, AppOutput, BulkPreview, BulkState } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge } from '../../support/fake-bridge.ts';

const ready: BulkState = {
  total: 130,
  read: 130,
  isReading: false,
  failed: [],
  failure: null,
  filters: [],
  types: [],
};

function rowAt(cid: number): BulkPreview['rows'][number] {
  const perDay = { before: '$1.00', after: '$1.10' };
  return {
    cid,
    name: `Campaign ${cid}`,
    line: null,
    state: 'change',
    fields: [],
    problems: [],
    isDrafted: false,
    perDay,
  };
}

/** Returns the core's answer: a page of 130 rows whose cids are their positions. */
function pageOf({ offset, limit }: AppInput<'bulk.preview'>, title = 'Bid +10%'): BulkPreview {
  const count = Math.max(0, Math.min(limit, 130 - offset));
  const rows = Array.from({ length: count }, (_, index) => rowAt(offset + index));
  return { title, counts: { change: 130, conflict: 0, same: 0, problem: 0 }, drafts: 130, total: 130, rows };
}

const added = (): AppOutput<'bulk.addToDrafts'> => ({ title: 'Bid +10%', campaigns: 130, step: 5 });

/** Waits for the pause in typing after which a preview is requested. */
const pause = (): Promise<unknown> => vi.advanceTimersByTimeAsync(200);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the page of bulk changes', () => {
  function open(answers: Parameters<typeof fakeBridge>[0] = {}) {
    const bridge = fakeBridge({
      'bulk.start': () => ({}),
      'bulk.state': () => ready,
      'bulk.preview': (input) => pageOf(input),
      ...answers,
    });
    const drafts = createDraftsStore(bridge);
    return { bridge, drafts, store: createBulkStore(bridge, drafts, () => '2026-11-29') };
  }
  const previews = (bridge: ReturnType<typeof fakeBridge>) =>
    bridge.asked
      .filter(({ name }) => name === 'bulk.preview')
      .map(({ input }) => input as AppInput<'bulk.preview'>);

  test('begins with the chosen campaigns and an empty form, and requests no preview of a blank form', async () => {
    const { bridge, store } = open();
    store.getState().change({ amount: '+10%' });
    expect(await store.getState().begin([7, 8])).toBe(true);
    expect(store.getState()).toMatchObject({ form: emptyForm, reads: ready, preview: null, added: null });
    expect(bridge.asked.find(({ name }) => name === 'bulk.start')?.input).toEqual({ cids: [7, 8] });
    expect(previews(bridge)).toEqual([]);
  });

  test('shows the reason if it could not begin', async () => {
    const refused = (): never => {
      throw new AppError('too_many_waiting');
    };
    const { store } = open({ 'bulk.start': refused });
    expect(await store.getState().begin([7])).toBe(false);
    expect(store.getState().refusal?.failure.code).toBe('too_many_waiting');
  });

  test('updates the preview after a pause in typing, and until then marks the preview as outdated', async () => {
    const { bridge, store } = open();
    await store.getState().begin([7]);
    for (const amount of ['+', '+1', '+10', '+10%']) store.getState().change({ amount });
    expect(store.getState().isStale).toBe(true);
    await pause();
    expect(previews(bridge)).toHaveLength(1);
    expect(store.getState()).toMatchObject({ isStale: false, preview: { title: 'Bid +10%', total: 130 } });
    store.getState().change({ amount: 'ten' });
    await pause();
    expect(store.getState()).toMatchObject({ preview: null, isStale: false });
  });

  test('ignores an answer for an earlier form, also during the pause before the next request', async () => {
    const waiting: ((answer: BulkPreview) => void)[] = [];
    const { bridge, store } = open({
      'bulk.preview': () => new Promise((resolve) => waiting.push(resolve)),
    });
    const page = { edit: { kind: 'file' as const }, show: 'all' as const, offset: 0, limit: 60 };
    await store.getState().begin([7]);
    store.getState().change({ amount: '+10%' });
    await pause();
    store.getState().change({ amount: '+20%' });
    waiting[0]?.(pageOf(page, 'Bid +10%'));
    await vi.advanceTimersByTimeAsync(10);
    // The change cannot be added, because the displayed preview does not belong to the form.
    expect(store.getState()).toMatchObject({ isStale: true, preview: null });
    await pause();
    store.getState().change({ amount: '+30%' });
    await pause();
    waiting[2]?.(pageOf(page, 'Bid +30%'));
    waiting[1]?.(pageOf(page, 'Bid +20%'));
    await pause();
    expect(store.getState().preview?.title).toBe('Bid +30%');
    store.getState().change({ amount: '+40%' });
    store.getState().showRows(50, 70);
    expect(previews(bridge)).toHaveLength(3);
  });

  test('ignores an answer for the earlier campaigns', async () => {
    const waiting: ((answer: BulkPreview) => void)[] = [];
    let reads = ready;
    const { store } = open({
      'bulk.state': () => reads,
      'bulk.preview': () => new Promise((resolve) => waiting.push(resolve)),
    });
    await store.getState().begin([7]);
    store.getState().change({ amount: '+10%' });
    await pause();
    reads = { ...ready, read: 0, isReading: true };
    await store.getState().begin([8]);
    waiting[0]?.(pageOf({ edit: { kind: 'file' }, show: 'all', offset: 0, limit: 60 }));
    await pause();
    expect(store.getState()).toMatchObject({ form: emptyForm, preview: null });
  });

  test('reads the rows that come into view, each page once, and keeps the rows that were read', async () => {
    const { bridge, store } = open();
    await store.getState().begin([7]);
    store.getState().change({ amount: '+10%' });
    await pause();
    store.getState().showRows(50, 70);
    store.getState().showRows(55, 75);
    await pause();
    expect(previews(bridge).map(({ offset }) => offset)).toEqual([0, 60]);
    expect(store.getState().preview?.rows.get(75)?.cid).toBe(75);
    store.getState().showRows(110, 160);
    await pause();
    expect(previews(bridge).map(({ offset }) => offset)).toEqual([0, 60, 120]);
    expect(store.getState().preview?.rows.size).toBe(130);
    store.getState().setShow('problem');
    await pause();
    expect(previews(bridge).at(-1)).toMatchObject({ show: 'problem' });
  });

  test('reads rows that came into view while the preview was refreshed, whichever answer arrives first', async () => {
    const waiting: [AppInput<'bulk.preview'>, (answer: BulkPreview) => void][] = [];
    let isSlow = false;
    const { bridge, store } = open({
      'bulk.preview': (input) =>
        isSlow ? new Promise((resolve) => waiting.push([input, resolve])) : pageOf(input),
    });
    onTestFinished(store.getState().start());
    await store.getState().begin([7]);
    store.getState().change({ amount: '+10%' });
    await pause();
    isSlow = true;
    bridge.emit({ kind: 'drafts.changed', cids: [7] });
    store.getState().showRows(60, 80);
    isSlow = false;
    for (const [input, resolve] of waiting.toReversed()) {
      resolve(pageOf(input));
      await pause();
    }
    expect(store.getState().preview?.rows.get(75)?.cid).toBe(75);
  });

  test('keeps the form and shows the reason if a preview fails', async () => {
    const slow = (): never => {
      throw new AppError('pattern_too_slow');
    };
    const { store } = open({ 'bulk.preview': slow });
    await store.getState().begin([7]);
    store.getState().change({ subject: 'text', find: '(a+)+$', isPattern: true });
    await pause();
    expect(store.getState()).toMatchObject({ preview: null, isStale: false, form: { find: '(a+)+$' } });
    expect(store.getState().failure?.code).toBe('pattern_too_slow');
  });

  test('adds the edit to the drafts once, and then begins with an empty form', async () => {
    const { bridge, store } = open({ 'bulk.addToDrafts': added });
    await store.getState().begin([7]);
    store.getState().change({ amount: '+10%' });
    await store.getState().add();
    expect(bridge.asked.some(({ name }) => name === 'bulk.addToDrafts')).toBe(false);
    await pause();
    await store.getState().add();
    expect(store.getState()).toMatchObject({ added: { campaigns: 130 }, form: emptyForm, preview: null });
    await store.getState().add();
    expect(bridge.asked.filter(({ name }) => name === 'bulk.addToDrafts')).toHaveLength(1);
    store.getState().change({ amount: '+5%' });
    expect(store.getState().added).toBeNull();
    await pause();
  });

  /** A page on which step 5 was added. `newestStep` returns the newest step of the drafts. */
  async function adding(newestStep: () => number) {
    const opened = open({
      'bulk.addToDrafts': added,
      'drafts.get': () => ({
        campaigns: [],
        history: { undo: 'Bid +10%', redo: null },
        newestStep: newestStep(),
      }),
      'drafts.undo': () => ({}),
      'drafts.change': () => ({ step: 6 }),
    });
    onTestFinished(opened.drafts.getState().start());
    opened.bridge.connect({ kind: 'connected' });
    await opened.store.getState().begin([7]);
    opened.store.getState().change({ amount: '+10%' });
    await pause();
    await opened.store.getState().add();
    await pause();
    const undone = () => opened.bridge.asked.filter(({ name }) => name === 'drafts.undo').length;
    return { ...opened, undone };
  }

  test('undoes the added step once, and a second press undoes no other step', async () => {
    const { store, undone } = await adding(() => 5);
    await Promise.all([store.getState().undoAdded(), store.getState().undoAdded()]);
    expect([undone(), store.getState().added]).toEqual([1, null]);
    await store.getState().undoAdded();
    expect(undone()).toBe(1);
  });

  test('undoes nothing if another step is the newest, even if that step is still being stored', async () => {
    let newest = 5;
    const { bridge, drafts, store, undone } = await adding(() => newest);
    const draft = { from: 0.04, operations: [{ kind: 'set' as const, value: 0.05 }] };
    drafts.getState().change('Bid +10%', [{ cid: 8, field: 'payout', draft }], '8 payout');
    expect(drafts.getState().newestStep).toBeNull();
    await store.getState().undoAdded();
    newest = 6;
    await vi.advanceTimersByTimeAsync(2_000);
    bridge.emit({ kind: 'drafts.changed', cids: [8] });
    await pause();
    expect(drafts.getState().newestStep).toBe(6);
    await store.getState().undoAdded();
    expect(undone()).toBe(0);
  });

  test('refreshes the preview when reads have ended and when drafts have changed', async () => {
    let state: BulkState = { ...ready, read: 40, isReading: true };
    const { bridge, store } = open({ 'bulk.state': () => state });
    await store.getState().begin([7]);
    const stop = store.getState().start();
    store.getState().change({ amount: '+10%' });
    await pause();
    const before = previews(bridge).length;
    state = ready;
    bridge.emit({ kind: 'campaigns.loading' });
    await pause();
    expect(previews(bridge)).toHaveLength(before + 1);
    bridge.emit({ kind: 'drafts.changed', cids: [7] });
    await pause();
    expect(previews(bridge)).toHaveLength(before + 2);
    stop();
    bridge.emit({ kind: 'drafts.changed', cids: [7] });
    await pause();
    expect(previews(bridge)).toHaveLength(before + 2);
  });
});

describe('files of campaigns', () => {
  const known: AppOutput<'bulk.file'> = { id: 'f', file: { name: 'campaigns.csv' } as never };

  function open(answers: Parameters<typeof fakeBridge>[0] = {}) {
    const bridge = fakeBridge({
      'bulk.fileStart': () => ({ id: 'f' }),
      'bulk.filePart': () => ({}),
      'bulk.fileRead': () => ({}),
      'bulk.file': () => known,
      ...answers,
    });
    return { bridge, store: createBulkFileStore({ bridge, newFile: async () => null }) };
  }

  test('are sent to the core in parts, and read with automatic detection', async () => {
    const { bridge, store } = open();
    const file = new File([new Uint8Array(600 * 1024)], 'campaigns.csv');
    expect(await store.getState().open(file)).toBe(true);
    const parts = bridge.asked.filter(({ name }) => name === 'bulk.filePart');
    expect(parts.map(({ input }) => atob((input as { bytes: string }).bytes).length)).toEqual([
      256 * 1024,
      256 * 1024,
      88 * 1024,
    ]);
    expect(bridge.asked.at(-2)?.input).toEqual({
      id: 'f',
      encoding: null,
      separator: null,
      decimals: null,
      dates: null,
      rounded: null,
      lost: null,
    });
    expect(store.getState()).toMatchObject({ read: known, doing: null, refusal: null });
  });

  test('are read with other options without another upload; a refusal keeps the earlier options', async () => {
    let fails = false;
    const { bridge, store } = open({
      'bulk.fileRead': () => {
        if (fails) throw new AppError('csv_unreadable');
        return {};
      },
    });
    expect(await store.getState().readAs({ separator: ';' })).toBe(false);
    await store.getState().open(new File(['a;b'], 'campaigns.csv'));
    const handed = bridge.asked.filter(({ name }) => name === 'bulk.filePart').length;
    expect(await store.getState().readAs({ separator: ';' })).toBe(true);
    expect(await store.getState().readAs({ decimals: 'comma' })).toBe(true);
    expect(store.getState().reading).toEqual({
      encoding: null,
      separator: ';',
      decimals: 'comma',
      dates: null,
      rounded: null,
      lost: null,
    });
    fails = true;
    expect(await store.getState().readAs({ separator: '\t' })).toBe(false);
    expect(store.getState().reading.separator).toBe(';');
    expect(store.getState().refusal?.failure.code).toBe('csv_unreadable');
    expect(bridge.asked.filter(({ name }) => name === 'bulk.filePart')).toHaveLength(handed);
  });

  test('that cannot be read are kept, and read when the right options are chosen', async () => {
    const { bridge, store } = open({
      'bulk.fileRead': ({ encoding, separator }) => {
        if (encoding !== 'utf-16le' || separator !== ';') throw new AppError('csv_unreadable');
        return {};
      },
    });
    expect(await store.getState().open(new File(['a;b'], 'campaigns.csv'))).toBe(false);
    expect(store.getState().refused).toMatchObject({ id: 'f', name: 'campaigns.csv' });
    expect(await store.getState().readAs({ encoding: 'utf-16le' })).toBe(false);
    expect(store.getState().refused?.reading.encoding).toBe('utf-16le');
    expect(await store.getState().readAs({ separator: ';' })).toBe(true);
    expect(store.getState()).toMatchObject({ refused: null, refusal: null, read: known });
    expect(bridge.asked.filter(({ name }) => name === 'bulk.filePart')).toHaveLength(1);
  });

  test('are exported with the chosen fields, each once', () => {
    const { store } = open();
    const { chooseField } = store.getState();
    chooseField('geo', true);
    chooseField('geo', true);
    chooseField('website', false);
    expect(store.getState().fields.filter((field) => field === 'geo')).toHaveLength(1);
    expect(store.getState().fields).not.toContain('website');
  });
});
