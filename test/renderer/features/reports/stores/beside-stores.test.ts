import { expect, test } from 'vitest';
import { createMarksStore } from '#renderer/features/reports/stores/marks-store.ts';
import { createChangesStore, createLargestStore } from '#renderer/features/reports/stores/beside-stores.ts';
import { firstQuery, withLevels, withRange } from '#renderer/features/reports/stores/report-query.ts';
import type { AppInput, AppOutput, LedgerEntry, Mark } from '#shared/app-api/index.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { page } from './support.ts';

const byDay = withLevels(firstQuery({ kind: 'xml', tid: 7 }), ['date']);

test('the countries next to a report by day are read once for its days, and again only on request', async () => {
  const bridge = fakeBridge({ 'reports.page': () => page() });
  const reads = (): unknown[] =>
    bridge.asked.flatMap(({ input }) => {
      const { query, read } = input as { query: typeof byDay; read: string };
      return read === 'none' ? [] : [[query.levels, query.range]];
    });
  const store = createLargestStore(bridge);
  store.getState().show(byDay, 'geo', 'net_revenue');
  await settled();
  expect(reads()).toEqual([]);

  const [week, month] = [{ preset: 'last7' }, { preset: 'last30' }] as const;
  store.getState().complete();
  store.getState().show({ ...byDay, excluded: [[{ dimension: 'geo', value: 'BR' }]] }, 'geo', 'epc');
  store.getState().complete();
  await settled();
  expect(reads()).toEqual([[['geo'], week]]);
  store.getState().show(withRange(byDay, month), 'geo', 'epc');
  store.getState().complete();
  store.getState().readMissing();
  await settled();
  expect(reads()).toEqual([
    [['geo'], week],
    [['geo'], month],
    [['geo'], month],
  ]);
});

test('the largest values of a named range are read again when the range has moved to new days', async () => {
  let to = '2026-11-21';
  const bridge = fakeBridge({
    'reports.page': () => page({ counted: { from: '2026-11-15', to } }),
  });
  const store = createLargestStore(bridge);
  const show = async (): Promise<void> => {
    store.getState().show(byDay, 'geo', 'epc');
    await settled();
    store.getState().complete();
    await settled();
  };
  const reads = (): number =>
    bridge.asked.filter(({ input }) => (input as { read: string }).read === 'missing').length;
  await show();
  await show();
  expect(reads()).toBe(1);
  to = '2026-11-22';
  await show();
  expect(reads()).toBe(2);
});

test('the latest requested largest values are shown, however late an earlier answer arrives', async () => {
  const answers: (() => void)[] = [];
  let version = 0;
  const bridge = fakeBridge({
    'reports.page': () => {
      const answer = page({ version: `v${(version += 1)}` });
      return new Promise((resolve) => answers.push(() => resolve(answer)));
    },
  });
  const store = createLargestStore(bridge);
  store.getState().show(byDay, 'geo', 'epc');
  await settled();
  answers.pop()?.();
  await settled();
  // The read ends before the answer to the request that began it arrives.
  store.getState().complete();
  store.getState().show(byDay, 'geo', 'net_revenue');
  await settled();
  for (const answer of answers.toReversed()) {
    answer();
    await settled();
  }
  expect(store.getState().page?.version).toBe('v3');
});

const noon = Date.parse('2026-11-20T12:00:00Z');
const hourMs = 3_600_000;

/** A row of the ledger. A change has four: prepared, attempted, answered, and read back. */
function entry(seq: number): LedgerEntry {
  const kinds = ['write.verified', 'write.answered', 'write.attempted', 'write.began'];
  return {
    seq,
    atMs: noon + (seq / 4_000) * hourMs,
    kind: kinds[seq % kinds.length] ?? '',
    summary: `Row ${seq}`,
    proposalId: null,
    profile: null,
    actor: 'You',
    via: null,
    changes: [],
    verdicts: [],
    verdictCount: null,
    hash: '',
    previousHash: '',
    keyId: '',
    body: '',
  };
}

/** Answers as the core does: the newest rows first, limited in number, before a given row. */
function ledgerOf(rows: readonly LedgerEntry[]) {
  return ({ beforeSeq, limit }: AppInput<'ledger.list'>): AppOutput<'ledger.list'> => {
    const newest = rows.toSorted((a, b) => b.seq - a.seq);
    const items = newest.filter(({ seq }) => beforeSeq === null || seq < beforeSeq).slice(0, limit);
    return { items, total: rows.length };
  };
}

test.each([
  { rows: 0, changes: 0, requests: 1, cutBefore: null },
  { rows: 199, changes: 49, requests: 1, cutBefore: null },
  { rows: 450, changes: 112, requests: 3, cutBefore: null },
  // Four thousand rows are read. The oldest thousand is missing, and the page states the first day that it has.
  { rows: 5_000, changes: 1_000, requests: 20, cutBefore: '2026-11-20' },
])('every change in a ledger of $rows rows is found', async ({ rows, changes, requests, cutBefore }) => {
  const bridge = fakeBridge({
    'ledger.list': ledgerOf(Array.from({ length: rows }, (_, at) => entry(at + 1))),
  });
  const store = createChangesStore(bridge);
  store.getState().show({ from: '2026-11-20', to: '2026-11-21' }, { id: 'p1', zone: 'UTC' });
  await expect.poll(() => bridge.asked.length).toBe(requests);
  await settled();
  const { entries } = store.getState();
  expect(entries).toHaveLength(changes);
  expect(new Set(entries.map(({ entry: { seq } }) => seq)).size).toBe(changes);
  expect(store.getState().cutBefore).toBe(cutBefore);
  expect(bridge.asked).toHaveLength(requests);
});

test('an answer about days that are no longer shown is ignored', async () => {
  const held = Promise.withResolvers<AppOutput<'ledger.list'>>();
  const answers = [held.promise, Promise.resolve({ items: [entry(8)], total: 1 })];
  const bridge = fakeBridge({ 'ledger.list': () => answers.shift() ?? { items: [], total: 0 } });
  const store = createChangesStore(bridge);
  const profile = { id: 'p1', zone: 'UTC' };
  store.getState().show({ from: '2026-11-01', to: '2026-11-02' }, profile);
  store.getState().show({ from: '2026-11-20', to: '2026-11-20' }, profile);
  await settled();
  held.resolve({ items: [entry(4), entry(12)], total: 2 });
  await settled();
  expect(store.getState().entries.map(({ entry: { seq } }) => seq)).toEqual([8]);
});

test('values that are marked in quick succession are stored one after the other, also while lines are copied', async () => {
  const copied = Promise.withResolvers<void>();
  const answers: (() => void)[] = [];
  const bridge = fakeBridge({
    'reports.marks.set': ({ target, sign, note }) =>
      new Promise((resolve) =>
        answers.push(() =>
          resolve({ ...target, id: note, sign, note, markedAtMs: 0, figuresThen: null } satisfies Mark),
        ),
      ),
    'reports.marks.remove': () => null,
    'reports.marks.list': () => ({ items: [] }),
  });
  const newFile = async (): Promise<null> => null;
  const store = createMarksStore({ bridge, copyText: () => copied.promise, newFile });
  const { set, remove, copyLines } = store.getState();
  const mark = (value: string): Promise<boolean> => {
    const target = { source: { kind: 'xml' as const, tid: 7 }, dimension: 'geo', value };
    return set({ target, sign: 'good', note: value, range: { from: '2026-11-01', to: '2026-11-02' } });
  };
  const done = [copyLines([]), mark('BR'), mark('DE'), remove(['m1'])];
  copied.resolve();
  await settled();
  expect(answers).toHaveLength(1);
  answers.pop()?.();
  await settled();
  answers.pop()?.();
  expect(await Promise.all(done)).toEqual([undefined, true, true, true]);
  expect(bridge.asked.map(({ name }) => name)).toEqual([
    'reports.marks.set',
    'reports.marks.set',
    'reports.marks.remove',
    'reports.marks.list',
  ]);
});
