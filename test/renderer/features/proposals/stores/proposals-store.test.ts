import { describe, expect, test } from 'vitest';
import {
  createProposalsStore,
  emptyList,
  unreadCount,
  withFirstPage,
  withHead,
  withTail,
} from '#renderer/features/proposals/stores/proposals-store.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { exampleBatch } from '#test/fixtures/batch.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';

const summary = (id: string): ProposalSummary => ({ id, createdAtMs: 1 }) as ProposalSummary;

describe('the page of proposals', () => {
  test('reads both lists when connected, and again when a proposal changes', async () => {
    let waiting = [summary('p1')];
    const bridge = fakeBridge({
      'proposals.list': ({ which }) => {
        const items = which === 'waiting' ? waiting : [];
        return { items, total: items.length };
      },
    });
    const store = createProposalsStore(bridge);
    store.getState().start();
    bridge.connect({ kind: 'connected' });
    await settled();
    expect(store.getState().waiting.items.map(({ id }) => id)).toEqual(['p1']);

    waiting = [summary('p2'), summary('p1')];
    bridge.emit({ kind: 'proposals.changed', id: 'p2' });
    await settled();
    expect(store.getState().waiting.items.map(({ id }) => id)).toEqual(['p2', 'p1']);
  });

  test('many simultaneous events cause a few reads, not one for each', async () => {
    const bridge = fakeBridge({ 'proposals.list': () => ({ items: [], total: 0 }) });
    const store = createProposalsStore(bridge);
    store.getState().start();
    for (let n = 0; n < 200; n += 1) bridge.emit({ kind: 'proposals.changed', id: `p${n}` });
    await settled();
    expect(bridge.asked.length).toBeLessThanOrEqual(4);
  });

  test('loading further items leaves no gap after a first page that was read again meanwhile', async () => {
    const all = Array.from({ length: 600 }, (_, at) => summary(`p${1_000 + at}`));
    const answers: (() => void)[] = [];
    let isSlow = false;
    const bridge = fakeBridge({
      'proposals.list': ({ which, before, limit }) => {
        if (which === 'past') return { items: [], total: 0 };
        const from = all.findIndex(({ id }) => id === before) + 1;
        const page = { items: all.slice(from, from + limit), total: all.length };
        return isSlow ? new Promise((resolve) => answers.push(() => resolve(page))) : page;
      },
    });
    const store = createProposalsStore(bridge);
    const ids = (): string[] => store.getState().waiting.items.map(({ id }) => id);
    store.getState().reload();
    await settled();
    await store.getState().readMore('waiting');
    isSlow = true;
    const more = store.getState().readMore('waiting');
    isSlow = false;
    store.getState().reload();
    await settled();
    answers.pop()?.();
    await more;
    expect(ids()).toEqual(all.slice(0, ids().length).map(({ id }) => id));
    while (unreadCount(store.getState().waiting) > 0) await store.getState().readMore('waiting');
    expect(ids()).toHaveLength(600);
  });

  test('withdrawing shows the current proposal', async () => {
    let proposal = exampleProposal({ state: 'proposed' });
    const bridge = fakeBridge({
      'proposals.get': () => proposal,
      'proposals.withdraw': () => (proposal = exampleProposal({ state: 'withdrawn' })),
      'proposals.list': () => ({ items: [], total: 0 }),
    });
    const store = createProposalsStore(bridge);
    store.getState().open('proposal-1');
    await settled();
    const withdrawing = store.getState().withdraw();
    expect(store.getState().detail?.doing).toBe('withdraw');
    await withdrawing;
    expect(store.getState().detail).toMatchObject({ doing: null, proposal: { state: 'withdrawn' } });
  });

  test('an answer for a proposal that is no longer open is ignored', async () => {
    const bridge = fakeBridge({ 'proposals.get': ({ id }) => exampleProposal({ id }) });
    const store = createProposalsStore(bridge);
    store.getState().open('p1');
    store.getState().open('p2');
    await settled();
    expect(store.getState().detail).toMatchObject({ id: 'p2', proposal: { id: 'p2' } });
  });

  test('an open batch is read again when one of its members changes', async () => {
    const bridge = fakeBridge({
      'proposals.get': () => exampleBatch(['shown', 'shown']),
      'proposals.list': () => ({ items: [], total: 0 }),
    });
    const store = createProposalsStore(bridge);
    store.getState().start();
    store.getState().open('batch-1');
    await settled();
    const reads = (): number => bridge.asked.filter(({ name }) => name === 'proposals.get').length;
    const before = reads();
    bridge.emit({ kind: 'proposals.changed', id: 'nobody' });
    await settled();
    expect(reads()).toBe(before);
    bridge.emit({ kind: 'proposals.changed', id: 'member-2' });
    await settled();
    expect(reads()).toBe(before + 1);
  });

  test('a failed read keeps the earlier data and shows the reason', async () => {
    let works = true;
    const bridge = fakeBridge({
      'proposals.list': () => {
        if (!works) throw new AppError('core_unreachable');
        return { items: [summary('p1')], total: 1 };
      },
    });
    const store = createProposalsStore(bridge);
    store.getState().reload();
    await settled();
    works = false;
    store.getState().reload();
    await settled();
    const { items, failure } = store.getState().waiting;
    expect(items).toHaveLength(1);
    expect(failure?.code).toBe('core_unreachable');
  });
});

describe('the queue', () => {
  test('is ordered by risk, and read again for another order or proposer; past proposals stay unchanged', async () => {
    const proposers = [{ kind: 'agent' as const, name: 'Claude Code', agentId: 'a1', count: 1 }];
    const bridge = fakeBridge({
      'proposals.list': ({ which, order }) => {
        const listed = which === 'past' ? ['old'] : order === 'risk' ? ['p1', 'p2'] : ['p2', 'p1'];
        return {
          items: listed.map(summary),
          total: listed.length,
          ...(which === 'waiting' && { proposers }),
        };
      },
    });
    const store = createProposalsStore(bridge);
    store.getState().reload();
    await settled();
    expect(ids(store.getState().waiting)).toEqual(['p1', 'p2']);
    expect(store.getState().proposers).toEqual(proposers);

    const by = { kind: 'agent' as const, agentId: 'a1' };
    store.getState().arrangeQueue({ order: 'newest', by });
    await settled();
    expect(ids(store.getState().waiting)).toEqual(['p2', 'p1']);
    expect(ids(store.getState().past)).toEqual(['old']);
    expect(bridge.asked.map(({ input }) => input)).toContainEqual({
      which: 'waiting',
      before: null,
      limit: 200,
      order: 'newest',
      by,
    });
    expect(bridge.asked.at(-1)?.input).toEqual({ which: 'past', before: null, limit: 50 });
  });

  test('ignores the answer for an order that is no longer chosen', async () => {
    const answers: (() => void)[] = [];
    const bridge = fakeBridge({
      'proposals.list': ({ which, order }) => {
        if (which === 'past') return { items: [], total: 0 };
        const page = { items: [summary(order ?? '')], total: 1 };
        return new Promise((resolve) => answers.push(() => resolve(page)));
      },
    });
    const store = createProposalsStore(bridge);
    store.getState().reload();
    await settled();
    store.getState().arrangeQueue({ order: 'newest', by: null });
    answers[0]?.();
    await settled();
    expect(ids(store.getState().waiting)).toEqual([]);
    answers[1]?.();
    await settled();
    expect(ids(store.getState().waiting)).toEqual(['newest']);
  });

  test('lists no proposal at its old position after the first page was read again', () => {
    const read = withTail(withFirstPage(emptyList, { items: items(1, 9), total: 4 }), {
      items: items(4, 3),
      total: 4,
    });
    expect(ids(read)).toEqual(['p1', 'p9', 'p4', 'p3']);
    const again = withFirstPage(read, { items: items(3, 1), total: 4 });
    expect(ids(again)).toEqual(['p3', 'p1']);
    expect(unreadCount(again)).toBe(2);
  });
});

const item = (number: number): ProposalSummary =>
  ({ id: `p${number}`, createdAtMs: number * 1000 }) as ProposalSummary;
const items = (...numbers: number[]): ProposalSummary[] => numbers.map(item);
const ids = (list: { items: readonly ProposalSummary[] }): string[] => list.items.map(({ id }) => id);

describe('the list of proposals', () => {
  test('grows at its end without duplicates', () => {
    const first = withHead(emptyList, { items: items(9, 8, 7), total: 5 });
    const second = withTail(first, { items: items(7, 6, 5), total: 5 });
    expect(ids(second)).toEqual(['p9', 'p8', 'p7', 'p6', 'p5']);
    expect(unreadCount(second)).toBe(0);
  });

  test('keeps further loaded items when its first page is read again', () => {
    const read = withTail(withHead(emptyList, { items: items(9, 8), total: 4 }), {
      items: items(7, 6),
      total: 4,
    });
    const again = withHead(read, { items: items(10, 9), total: 5 });
    expect(ids(again)).toEqual(['p10', 'p9', 'p8', 'p7', 'p6']);
  });

  test('removes items that no longer belong to it', () => {
    const read = withHead(emptyList, { items: items(9, 8, 7), total: 3 });
    expect(ids(withHead(read, { items: items(9, 7), total: 2 }))).toEqual(['p9', 'p7']);
    expect(ids(withHead(read, { items: [], total: 0 }))).toEqual([]);
  });

  test('reports how many items were not read', () => {
    expect(unreadCount(withHead(emptyList, { items: items(9, 8), total: 57 }))).toBe(55);
  });
});
