import { describe, expect, test } from 'vitest';
import {
  createLedgerStore,
  hasOlder,
  isCut,
  storiesOf,
  withNewest,
  withOlder,
} from '#renderer/stores/ledger/ledger-store.ts';
import { everyRow, type LedgerEntry, type LedgerReport } from '#shared/app-api/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const report = (state: LedgerReport['state']): LedgerReport => ({
  state,
  rows: 250,
  head: 'f'.repeat(64),
  sealedAtMs: 1,
  checkedAtMs: 1,
  anchored: 250,
  anchorFailedSinceMs: null,
  keys: [],
  problem: null,
});

/** A ledger of 250 rows. Every tenth row concerns the same proposal. */
function ledger(state: LedgerReport['state'] = 'verified') {
  const rows = Array.from({ length: 250 }, (_, index) => 250 - index).map(
    (seq) => ({ seq, proposalId: seq % 10 === 0 ? 'p1' : null }) as LedgerEntry,
  );
  return fakeBridge({
    'ledger.list': ({ beforeSeq, limit, filter: { proposalId, about: subject } }) => {
      const about = rows.filter((row) => proposalId === null || row.proposalId === proposalId);
      if (subject === 'emergency-stop') about.length = 0;
      const items = about.filter((row) => beforeSeq === null || row.seq < beforeSeq).slice(0, limit);
      return { items, total: about.length };
    },
    'ledger.report': () => report(state),
    'ledger.verify': () => report('broken'),
  });
}

describe('the page of the ledger', () => {
  test('reads further down page by page until the first row', async () => {
    const store = createLedgerStore(ledger());
    store.getState().reload();
    await settled();
    for (let pages = 0; pages < 3; pages += 1) {
      store.getState().readOlder();
      await settled();
    }
    const seqs = store.getState().list?.entries.map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index));
  });

  test('shows only the rows of one proposal when asked, and all of them again', async () => {
    const store = createLedgerStore(ledger());
    store.getState().filterBy('p1');
    await settled();
    expect(store.getState().list).toMatchObject({ total: 25 });
    store.getState().filterBy(null);
    await settled();
    expect(store.getState().list).toMatchObject({ total: 250 });
  });

  test('shows the rows that match the form, and reports if no row matches', async () => {
    const bridge = ledger();
    const store = createLedgerStore(bridge);
    store.getState().setForm({ about: 'emergency-stop', from: '2026-11-02' }, 'UTC');
    await settled();
    expect(store.getState().list).toMatchObject({ total: 0 });
    expect(bridge.asked.find(({ name }) => name === 'ledger.list')?.input).toMatchObject({
      filter: { ...everyRow, about: 'emergency-stop', fromMs: Date.parse('2026-11-02T00:00Z') },
    });
    store.getState().filterBy(null);
    await settled();
    expect(store.getState()).toMatchObject({ list: { total: 250 }, form: { about: '', from: '' } });
  });

  test('a broken hash chain is shown as soon as it was verified', async () => {
    const store = createLedgerStore(ledger());
    store.getState().reload();
    await settled();
    expect(store.getState().report?.state).toBe('verified');
    await store.getState().verify();
    expect(store.getState().report?.state).toBe('broken');
  });
});

const rows = (...seqs: number[]): LedgerEntry[] => seqs.map((seq) => ({ seq }) as LedgerEntry);
const seqs = (list: { entries: readonly LedgerEntry[] }): number[] => list.entries.map(({ seq }) => seq);

describe('the rows of the ledger', () => {
  const first = withNewest(null, { items: rows(9, 8, 7), total: 9 });

  test('are extended by new rows', () => {
    expect(seqs(withNewest(first, { items: rows(11, 10, 9), total: 11 }))).toEqual([11, 10, 9, 8, 7]);
  });

  test('never hide a gap: rows that are not adjacent to the new page are read again', () => {
    const after = withNewest(first, { items: rows(30, 29, 28), total: 30 });
    expect(seqs(after)).toEqual([30, 29, 28]);
    expect(hasOlder(after)).toBe(true);
  });

  test('grow downwards to the first row', () => {
    const more = withOlder(first, { items: rows(7, 6, 5, 4, 3, 2, 1), total: 9 });
    expect(seqs(more)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(hasOlder(more)).toBe(false);
  });
});

describe('changes in the ledger', () => {
  const entry = (seq: number, proposalId: string | null, kind = 'write.sent') =>
    ({ seq, proposalId, kind }) as LedgerEntry;

  test('group the rows of a change at the position of its newest row, and leave other rows single', () => {
    const stories = storiesOf([
      entry(9, 'a'),
      entry(8, null),
      entry(7, 'b'),
      entry(6, 'a'),
      entry(5, 'b', 'proposal.proposed'),
    ]);
    expect(stories.map(({ rows }) => rows.map(({ seq }) => seq))).toEqual([[9, 6], [8], [7, 5]]);
    expect(stories.map(({ newest }) => newest.seq)).toEqual([9, 8, 7]);
    expect(stories.map((story) => isCut(story, true))).toEqual([true, false, false]);
    expect(stories.map((story) => isCut(story, false))).toEqual([false, false, false]);
  });

  test('contain every row once, in order', () => {
    const rows = Array.from({ length: 40 }, (_, at) => entry(40 - at, ['a', 'b', null][at % 3] ?? null));
    const found = storiesOf(rows).flatMap((story) => story.rows);
    expect(found.toSorted((one, other) => other.seq - one.seq)).toEqual(rows);
  });
});
