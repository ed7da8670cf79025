import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDraftsStore, type DraftChange } from '#renderer/stores/drafts/drafts-store.ts';
import type { AppOutput, CampaignDraftView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const [stepMs, maxWaitMs] = [20, 50];

const bid = (value: number): DraftChange => ({
  cid: 7,
  field: 'payout',
  draft: { from: 0.04, operations: [{ kind: 'set', value }] },
});

/** A core that stores the drafts of one campaign. A page cannot tell it from the real core. */
function core() {
  const fields: CampaignDraftView['fields'] = {};
  const state = {
    failure: null as AppError | null,
    failsOnce: false,
    readFailure: null as AppError | null,
    others: [] as CampaignDraftView[],
    history: { undo: null, redo: null } as AppOutput<'drafts.get'>['history'],
  };
  const bridge = fakeBridge({
    'drafts.get': ({ cids }) => {
      if (state.readFailure) throw state.readFailure;
      return {
        campaigns: [
          ...(Object.keys(fields).length === 0
            ? []
            : [
                {
                  cid: 7,
                  name: 'DE push',
                  fields: { ...fields },
                  proposalId: null,
                  proposalState: null,
                  returned: null,
                },
              ]),
          ...state.others,
        ].filter(({ cid }) => cids?.includes(cid) ?? true),
        history: state.history,
        newestStep: null,
      };
    },
    'drafts.change': ({ changes }) => {
      const { failure } = state;
      if (state.failsOnce) state.failure = null;
      if (failure) throw failure;
      for (const { field, draft } of changes) {
        if (draft === null) delete fields[field];
        else fields[field] = draft;
      }
      return { step: 1 };
    },
    'drafts.undo': () => ({}),
  });
  const store = createDraftsStore(bridge, { stepMs, maxWaitMs });
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
    await expect.poll(changes).toEqual([{ title: 'Bid of “DE push”', changes: [bid(0.455)] }]);
    expect(value()).toEqual({ kind: 'set', value: 0.455 });
  });

  test('that is typed without a pause is stored during typing, as parts of one step', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { store, changes, value } = core();
    for (let key = 1; key <= 12; key += 1) {
      store.getState().change('Bid', [bid(key)], '7 payout');
      await vi.advanceTimersByTimeAsync(stepMs / 2);
    }
    expect(changes()).toEqual([
      { title: 'Bid', changes: [bid(5)] },
      { title: 'Bid', changes: [bid(10)], continues: true },
    ]);
    expect(value()).toEqual({ kind: 'set', value: 12 });
    await vi.advanceTimersByTimeAsync(stepMs);
    expect(changes().at(-1)).toEqual({ title: 'Bid', changes: [bid(12)], continues: true });
    store.getState().change('Bid', [bid(0)], '7 payout');
    await vi.advanceTimersByTimeAsync(stepMs);
    expect(changes().at(-1)).toEqual({ title: 'Bid', changes: [bid(0)] });
  });

  test('of another field ends the step before it', async () => {
    const { store, changes } = core();
    store.getState().change('Bid', [bid(0.4)], '7 payout');
    store.getState().change('Name', [{ ...bid(1), field: 'name' }], '7 name');
    await store.getState().stored();
    expect(changes()).toHaveLength(2);
  });

  test('that the core refuses is reverted, with the reason', async () => {
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

  test('that does not reach the core delays later changes, so that the last change is stored last', async () => {
    const { bridge, store, state, changes, value } = core();
    onTestFinished(store.getState().start());
    Object.assign(state, { failure: new AppError('core_unreachable'), failsOnce: true });
    for (const amount of [0.4, 0.5, 0.6]) store.getState().change('Bid', [bid(amount)]);
    await store.getState().stored();
    bridge.connect({ kind: 'connected' });
    await store.getState().stored();
    await settled();
    expect(value()).toEqual({ kind: 'set', value: 0.6 });
    expect(changes()).toHaveLength(4);
  });

  test('that leaves a campaign without drafts removes it', async () => {
    const { store } = core();
    store.getState().change('Bid', [bid(0.4)]);
    await store.getState().stored();
    store.getState().change('Bid', [{ ...bid(0), draft: null }]);
    expect(store.getState().campaigns).toEqual({});
  });
});

test('undo first stores what was typed', async () => {
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

const another = (cid: number): CampaignDraftView => {
  return { cid, name: `Campaign ${cid}`, fields: {}, proposalId: null, proposalState: null, returned: null };
};

test('only changed campaigns are read again, and all drafts after a new connection', async () => {
  const { bridge, store, state } = core();
  const asked = (): unknown[] =>
    bridge.asked.flatMap(({ name, input }) =>
      name === 'drafts.get' ? [(input as { cids: unknown }).cids] : [],
    );
  state.others = [another(8), another(9)];
  const stop = store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  state.others = [another(9), another(10)];
  bridge.emit({ kind: 'drafts.changed', cids: [8, 10] });
  await settled();
  store.getState().change('Bid', [bid(0.4)]);
  await store.getState().stored();
  await settled();
  expect(Object.keys(store.getState().campaigns)).toEqual(['7', '9', '10']);
  expect(asked()).toEqual([null, [8, 10], [7]]);
  bridge.connect({ kind: 'connected' });
  await settled();
  expect(asked().at(-1)).toBeNull();
  stop();
});

test('a failed read is followed by a read of all drafts', async () => {
  const { bridge, store, state } = core();
  const stop = store.getState().start();
  bridge.connect({ kind: 'connected' });
  await settled();
  state.readFailure = new AppError('core_unreachable');
  state.others = [another(8)];
  bridge.emit({ kind: 'drafts.changed', cids: [8] });
  await settled();
  state.readFailure = null;
  bridge.emit({ kind: 'drafts.changed', cids: [9] });
  await settled();
  expect(Object.keys(store.getState().campaigns)).toEqual(['8']);
  stop();
});
