import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCampaignsStore, lookUp } from '#renderer/stores/campaigns/campaigns-store.ts';
import { countRunning, shownPart } from '#renderer/stores/campaigns/selection.ts';
import { oldestReadMs, rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import type { AppOutput, CampaignFilter, CampaignPage, FoundPage } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { campaignRow } from '../../support/campaign-row.ts';
import { runs } from '#test/setup/property-runs.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const coverage = { needsFull: false, total: 1000, loaded: 0, unknown: 0, oldestReadAtMs: null };

function page(first: number, total = 1000, number = 1): CampaignPage {
  const rows = Array.from({ length: 200 }, (_, index) => campaignRow(first + index));
  return { rows, total, page: number, readAtMs: 1, cached: null };
}

/** A list of campaigns of which every third belongs to a push client. It searches, filters and sorts as the service does. */
function searchable(count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...campaignRow(index + 1),
    name: (index + 1) % 3 === 0 ? 'push' : 'other',
    status: index % 2 === 0 ? 1 : 3,
  }));
  const inFilter = ({ query, status, sort }: CampaignFilter) => {
    const matches = rows.filter(
      (row) => row.name.includes(query) && (status === null || row.status === status),
    );
    return sort === 'name' ? matches.toReversed() : matches;
  };
  const answer = (filter: CampaignFilter, number: number): CampaignPage => {
    const found = inFilter(filter);
    const shown = found.slice((number - 1) * 200, number * 200);
    return { rows: shown, total: found.length, page: number, readAtMs: 1, cached: null };
  };
  const bridge = fakeBridge({
    'campaigns.page': ({ filter, page: number }) => answer(filter, number),
    'campaigns.find': ({ filter, page: number }) => ({ ...answer(filter, number), coverage }),
    'campaigns.foundIds': ({ filter }) => {
      const items = inFilter(filter).map(({ cid, status }) => ({ cid, status }));
      return { items, total: items.length, readAtMs: 1 };
    },
    'campaigns.proposeStatus': ({ cids }) => {
      if (cids.length === 0) throw new AppError('validation_failed');
      return { id: 'p1' } as AppOutput<'campaigns.proposeStatus'>;
    },
  });
  const store = createCampaignsStore(bridge);
  return {
    store,
    bridge,
    matching: () => inFilter(store.getState().filter).map(({ cid }) => cid),
    /** Changes a campaign at the service, so that it may no longer match a filter. */
    change(at: number) {
      const row = rows[at % count];
      if (row !== undefined) Object.assign(row, { name: 'other', status: row.status === 1 ? 3 : 1 });
      store.getState().reload();
    },
  };
}

describe('the list of campaigns', () => {
  test('an answer for an earlier filter is ignored', async () => {
    const waiting: ((answer: FoundPage) => void)[] = [];
    const bridge = fakeBridge({ 'campaigns.find': () => new Promise((resolve) => waiting.push(resolve)) });
    const store = createCampaignsStore(bridge);
    store.getState().setFilter({ query: 'old' });
    store.getState().setFilter({ query: 'new' });
    waiting[1]?.({ ...page(500), coverage });
    waiting[0]?.({ ...page(100), coverage });
    await settled();
    const { list, loading } = store.getState();
    expect(list && rowAt(list, 0)?.cid).toBe(500);
    expect(loading).toBe(false);
  });

  test('a failed read keeps the earlier rows and shows the reason', async () => {
    let fails = false;
    const bridge = fakeBridge({
      'campaigns.page': () => {
        if (fails) throw new AppError('service_unreachable');
        return page(1);
      },
    });
    const store = createCampaignsStore(bridge);
    store.getState().reload();
    await settled();
    fails = true;
    store.getState().reload();
    await settled();
    expect(store.getState().list?.total).toBe(1000);
    expect(store.getState().failure?.code).toBe('service_unreachable');
    fails = false;
    store.getState().reload();
    // The failure and its retry button stay until an answer arrives.
    expect(store.getState().failure?.code).toBe('service_unreachable');
    await settled();
    expect(store.getState().failure).toBeNull();
  });

  test('a shorter list deselects the rows that it no longer contains', async () => {
    let total = 450;
    const bridge = fakeBridge({
      'campaigns.page': ({ page: number, perPage }) => {
        const first = (number - 1) * perPage;
        const rows = page(first + 1).rows.slice(0, Math.max(0, total - first));
        return { ...page(1, total, number), rows };
      },
    });
    const store = createCampaignsStore(bridge);
    store.getState().reload();
    await settled();
    store.getState().show(150, 449);
    await settled();
    expect(store.getState().list?.pages.size).toBe(3);
    total = 350;
    store.getState().show(0, 20);
    store.getState().reload();
    await settled();
    store.getState().selectLoaded();
    expect(store.getState().selection.cids.size).toBe(350);
    store.getState().toggleSelected(449);
    expect(store.getState().selection.cids.has(450)).toBe(false);
  });

  test('a page in view is requested once', async () => {
    const bridge = fakeBridge({ 'campaigns.page': ({ page: number }) => page(number * 1000, 1000, number) });
    const store = createCampaignsStore(bridge);
    store.getState().reload();
    await settled();
    store.getState().show(250, 300);
    store.getState().show(260, 310);
    await settled();
    expect(bridge.asked.map(({ input }) => (input as { page: number }).page)).toEqual([1, 2]);
  });

  test('the rows in view are read again after a change of any campaign', async () => {
    const bridge = fakeBridge({ 'campaigns.page': () => page(1), 'campaigns.types': () => [] });
    const store = createCampaignsStore(bridge);
    store.getState().start();
    bridge.connect({ kind: 'connected' });
    await settled();
    bridge.emit({ kind: 'campaigns.changed', cids: [3] });
    await settled();
    expect(bridge.asked.filter(({ name }) => name === 'campaigns.page')).toHaveLength(2);
  });

  test('a batch that changes fifty campaigns costs a few reads of the service, not one for each', async () => {
    const bridge = fakeBridge({ 'campaigns.page': () => page(1), 'campaigns.types': () => [] });
    const store = createCampaignsStore(bridge);
    store.getState().start();
    bridge.connect({ kind: 'connected' });
    await settled();
    for (let cid = 1; cid <= 50; cid += 1) {
      bridge.emit({ kind: 'campaigns.changed', cids: [cid] });
      await Promise.resolve();
    }
    await settled();
    expect(bridge.asked.filter(({ name }) => name === 'campaigns.page').length).toBeLessThanOrEqual(5);
  });
});

describe('a bulk change', () => {
  test('names every selected campaign in one proposal, and then nothing is selected', async () => {
    const bridge = fakeBridge({
      'campaigns.page': () => page(1),
      'campaigns.proposeStatus': () => ({ id: 'p1' }) as AppOutput<'campaigns.proposeStatus'>,
    });
    const store = createCampaignsStore(bridge);
    store.getState().reload();
    await settled();
    store.getState().toggleSelected(0);
    store.getState().extendSelection(2);
    expect(await store.getState().proposeStatus(3)).toBe('p1');
    expect(bridge.asked.at(-1)?.input).toEqual({ cids: [1, 2, 3], status: 3 });
    expect(store.getState().selection.cids.size).toBe(0);
  });

  test('of the running campaigns is requested as such, and the running rows are known even if a filter hides them', async () => {
    const status = new Map([
      [1, 1],
      [2, 3],
      [3, 4],
    ]);
    const bridge = fakeBridge({
      'campaigns.page': ({ filter }) => {
        const rows = [...status].map(([cid, code]) => ({ ...campaignRow(cid), status: code }));
        const found = rows.filter((row) => filter.status === null || row.status === filter.status);
        return { rows: found, total: found.length, page: 1, readAtMs: 1, cached: null };
      },
      'campaigns.proposeStatus': () => ({ id: 'p1' }) as AppOutput<'campaigns.proposeStatus'>,
    });
    const store = createCampaignsStore(bridge);
    const running = (): number | null => countRunning(store.getState().selection, store.getState().statuses);
    store.getState().reload();
    await settled();
    store.getState().selectLoaded();
    expect(running()).toBe(2);
    status.set(1, 3);
    store.getState().setFilter({ status: 3 });
    await settled();
    expect(running()).toBe(1);
    store.getState().setFilter({ status: null });
    await settled();
    await store.getState().proposeStatus(3, 'running');
    expect(bridge.asked.at(-1)?.input).toEqual({ cids: [1, 2, 3], status: 3, targeted: 'running' });
  });

  test('never includes a selected campaign that a search, a filter or a change elsewhere hides', async () => {
    const press = fc.record({
      act: fc.constantFrom(
        'toggle',
        'range',
        'loaded',
        'found',
        'query',
        'status',
        'sort',
        'elsewhere',
        'scroll',
      ),
      at: fc.nat(449),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(press, { maxLength: 25 }), async (presses) => {
        const { store, bridge, matching, change } = searchable(450);
        store.getState().reload();
        await settled();
        for (const { act, at } of presses) {
          const state = store.getState();
          if (act === 'toggle') state.toggleSelected(at);
          if (act === 'range') state.extendSelection(at);
          if (act === 'loaded') state.selectLoaded();
          if (act === 'found') await state.selectFound();
          if (act === 'query') state.setFilter({ query: at % 2 === 0 ? '' : 'push' });
          if (act === 'status') state.setFilter({ status: at % 2 === 0 ? null : 3 });
          if (act === 'sort') state.sortBy(at % 2 === 0 ? 'cid' : 'name');
          if (act === 'elsewhere') change(at);
          if (act === 'scroll') state.show(at, at + 20);
          await settled();
        }
        const { selection, list } = store.getState();
        // Every row is in view once, as when a person scrolls to the end of the list.
        store.getState().reload();
        store.getState().show(0, list?.total ?? 0);
        await settled();
        const before = bridge.asked.length;
        const expected = matching().filter((cid) => selection.cids.has(cid));
        await store.getState().proposeStatus(3);
        const asked = bridge.asked.slice(before).find(({ name }) => name === 'campaigns.proposeStatus');
        expect(new Set((asked?.input as { cids: number[] } | undefined)?.cids)).toEqual(new Set(expected));
        expect(store.getState().selection.cids.size).toBe(expected.length === 0 ? selection.cids.size : 0);
      }),
      runs(100),
    );
  });

  test('counts the selected campaigns that a search hides, and deselects them on request', async () => {
    const { store } = searchable(30);
    store.getState().reload();
    await settled();
    store.getState().selectLoaded();
    store.getState().setFilter({ query: 'push' });
    await settled();
    const { selection, found, deselectHidden } = store.getState();
    expect([selection.cids.size, shownPart(selection, found).cids.size]).toEqual([30, 10]);
    deselectHidden();
    store.getState().setFilter({ query: '' });
    await settled();
    expect([...store.getState().selection.cids]).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
  });

  test('of another profile begins with nothing selected', async () => {
    let id = 'demo';
    const bridge = fakeBridge({
      'campaigns.page': () => page(1),
      'campaigns.types': () => [],
      'session.get': () => ({ profile: { id } }) as AppOutput<'session.get'>,
    });
    const store = createCampaignsStore(bridge);
    store.getState().start();
    bridge.connect({ kind: 'connected' });
    await settled();
    store.getState().toggleSelected(0);
    bridge.emit({ kind: 'profiles.changed' });
    await settled();
    expect(store.getState().selection.cids.size).toBe(1);
    id = 'live';
    bridge.emit({ kind: 'profiles.changed' });
    await settled();
    expect(store.getState().selection.cids.size).toBe(0);
  });

  test('that is refused shows the reason and changes nothing', async () => {
    const bridge = fakeBridge({
      'campaigns.page': () => page(1),
      'campaigns.proposeStatus': () => {
        throw new AppError('campaign_not_found');
      },
    });
    const store = createCampaignsStore(bridge);
    store.getState().reload();
    await settled();
    store.getState().toggleSelected(0);
    expect(await store.getState().proposeStatus(3)).toBeNull();
    expect(store.getState().proposing?.failure?.code).toBe('campaign_not_found');
    expect(store.getState().selection.cids.size).toBe(1);
  });
});

test('a sign-out removes the loaded rows; any other failure keeps them with their age', async () => {
  let fails: AppError | null = null;
  const bridge = fakeBridge({
    'campaigns.page': () => {
      if (fails) throw fails;
      return page(1);
    },
    'campaigns.types': () => [],
  });
  const store = createCampaignsStore(bridge);
  store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  fails = new AppError('service_unreachable');
  store.getState().reload();
  await settled();
  expect(store.getState().list?.total).toBe(1000);
  fails = new AppError('credential_missing');
  store.getState().reload();
  await settled();
  expect(store.getState()).toMatchObject({
    list: null,
    cached: null,
    failure: { code: 'credential_missing' },
  });
});

test('a search text that is too long is cut between two characters', async () => {
  const bridge = fakeBridge({ 'campaigns.find': () => ({ ...page(0), coverage }) });
  await lookUp(bridge, `${'a'.repeat(254)}👩👩`);
  expect(bridge.asked).toMatchObject([{ input: { filter: { query: `${'a'.repeat(254)}👩` } } }]);
});

describe('rows of the last session', () => {
  const kept = { rows: [1, 2, 3].map(campaignRow), total: 900, readAtMs: 5 };

  function started(answer: () => CampaignPage | Promise<CampaignPage>) {
    const bridge = fakeBridge({ 'campaigns.page': answer });
    return { bridge, store: createCampaignsStore(bridge, kept) };
  }

  test('are shown with their age before the core answers, without a request', () => {
    const { bridge, store } = started(() => page(1));
    store.getState().show(0, 40);
    const { list, loading, all, ...state } = store.getState();
    expect(list && [rowAt(list, 2)?.cid, list.total, oldestReadMs(list)]).toEqual([3, 900, 5]);
    expect({ loading, all, kept: state.kept }).toEqual({ loading: false, all: 900, kept });
    expect(bridge.asked).toEqual([]);
  });

  test('can be selected like current rows', () => {
    const { store } = started(() => page(1));
    store.getState().toggleSelected(1);
    const { selection, found } = store.getState();
    expect([...shownPart(selection, found).cids]).toEqual([2]);
  });

  test('are replaced in place: the cursor and the selection stay, and changed rows are marked', async () => {
    const [first, second, third] = kept.rows;
    const rows = [campaignRow(4), first!, { ...second!, payout: 9 }, third!];
    const { store } = started(() => ({ rows, total: 901, page: 1, readAtMs: 7, cached: null }));
    store.getState().show(0, 40);
    store.getState().toggleSelected(1);
    store.getState().reload();
    await settled();
    const { list, cursor, selection, changed, ...state } = store.getState();
    expect(state.kept).toBeNull();
    expect(list && [list.total, oldestReadMs(list)]).toEqual([901, 7]);
    expect([cursor, [...selection.cids], [...changed]]).toEqual([1, [2], [4, 2]]);
  });

  test('stay with their age after a failure, and are dropped by a sign-out and by another filter', async () => {
    let code: 'service_unreachable' | 'credential_missing' = 'service_unreachable';
    const { store } = started(() => Promise.reject(new AppError(code)));
    store.getState().reload();
    await settled();
    expect(store.getState()).toMatchObject({ kept, failure: { code }, list: { total: 900 } });
    code = 'credential_missing';
    store.getState().reload();
    await settled();
    expect(store.getState()).toMatchObject({ kept: null, list: null });

    const other = started(() => new Promise(() => undefined)).store;
    other.getState().setFilter({ status: 1 });
    expect(other.getState()).toMatchObject({ kept: null, list: null, loading: true });
  });

  test('are no longer compared with current rows after the next filter', async () => {
    const { store } = started(() => page(500));
    store.getState().reload();
    await settled();
    expect(store.getState().changed.size).toBe(3);
    store.getState().setFilter({ status: 1 });
    expect(store.getState().changed.size).toBe(0);
  });
});
