import { describe, expect, test } from 'vitest';
import { createDraftsStore, type DraftChange } from '#renderer/stores/drafts/drafts-store.ts';
import type { AppOutput, CampaignDraftView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const stepMs = 20;
const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const bid = (value: number): DraftChange => ({
  cid: 7,
  field: 'payout',
  draft: { from: 0.04, operations: [{ kind: 'set', value }] },
});

/** A core that stores drafts of one campaign, as the real one does as far as the page can tell. */
function core() {
  const fields: CampaignDraftView['fields'] = {};
  const state = {
    failure: null as AppError | null,
    history: { undo: null, redo: null } as AppOutput<'drafts.get'>['history'],
  };
  const bridge = fakeBridge({
    'drafts.get': () => ({
      campaigns:
        Object.keys(fields).length === 0
          ? []
          : [{ cid: 7, name: 'DE push', fields: { ...fields }, proposalId: null, returned: null }],
      history: state.history,
    }),
    'drafts.change': ({ changes }) => {
      if (state.failure) throw state.failure;
      for (const { field, draft } of changes) {
        if (draft === null) delete fields[field];
        else fields[field] = draft;
      }
      return {};
    },
    'drafts.undo': () => ({}),
  });
  const store = createDraftsStore(bridge, stepMs);
  const changes = (): unknown[] =>
    bridge.asked.flatMap(({ name, input }) => (name === 'drafts.change' ? [input] : []));
  const value = (): unknown => store.getState().campaigns[7]?.fields['payout']?.operations[0];
  return { bridge, store, state, changes, value };
}

describe('a change of drafts', () => {
  test('is shown at once, and typing into one field is one step', async () => {
    const { store, changes, value } = core();
    for (const amount of [0.4, 0.45, 0.455])
      store.getState().change('Bid of “DE push”', [bid(amount)], '7 payout');
    expect(value()).toEqual({ kind: 'set', value: 0.455 });
    expect(changes()).toEqual([]);
    await passed(3 * stepMs);
    expect(changes()).toEqual([{ title: 'Bid of “DE push”', changes: [bid(0.455)] }]);
    expect(value()).toEqual({ kind: 'set', value: 0.455 });
  });

  test('of another field ends the step before it', async () => {
    const { store, changes } = core();
    store.getState().change('Bid', [bid(0.4)], '7 payout');
    store.getState().change('Name', [{ ...bid(1), field: 'name' }], '7 name');
    await store.getState().stored();
    expect(changes()).toHaveLength(2);
  });

  test('that the core refuses is taken back, with the reason', async () => {
    const { store, state, value } = core();
    state.failure = new AppError('draft_proposed');
    store.getState().change('Bid', [bid(0.4)]);
    await store.getState().stored();
    await settled();
    expect(value()).toBeUndefined();
    expect(store.getState().failure?.code).toBe('draft_proposed');
  });

  test('that does not reach the core stays, and is stored with the next connection', async () => {
    const { bridge, store, state, changes, value } = core();
    const stop = store.getState().start();
    state.failure = new AppError('core_unreachable');
    store.getState().change('Bid', [bid(0.4)]);
    await store.getState().stored();
    expect(value()).toEqual({ kind: 'set', value: 0.4 });
    state.failure = null;
    bridge.connect({ kind: 'connected' });
    await store.getState().stored();
    expect(changes()).toHaveLength(2);
    stop();
  });

  test('that leaves a campaign without drafts removes it', async () => {
    const { store } = core();
    store.getState().change('Bid', [bid(0.4)]);
    await store.getState().stored();
    store.getState().change('Bid', [{ ...bid(0), draft: null }]);
    expect(store.getState().campaigns).toEqual({});
  });
});

test('undo stores what is still typed before it asks', async () => {
  const { bridge, store } = core();
  store.getState().change('Bid', [bid(0.4)], '7 payout');
  await store.getState().undo();
  const names = bridge.asked.map(({ name }) => name);
  expect(names.indexOf('drafts.change')).toBeLessThan(names.indexOf('drafts.undo'));
});

test('drafts that changed elsewhere are read again', async () => {
  const { bridge, store, state } = core();
  const stop = store.getState().start();
  state.history = { undo: 'Bid of “DE push”', redo: null };
  bridge.emit({ kind: 'drafts.changed', cids: [] });
  await settled();
  expect(store.getState().history.undo).toBe('Bid of “DE push”');
  stop();
});
