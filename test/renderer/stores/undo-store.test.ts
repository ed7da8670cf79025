import { expect, test } from 'vitest';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { pendingStop } from '#renderer/stores/agents/emergency-stop-store.ts';
import { createUndoStore, undoOf } from '#renderer/stores/undo-store.ts';
import { AppError } from '#shared/errors/index.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';

type Shown = { id: string; address: string | null };

function storeOn(bridge: AppBridge) {
  const followed: Shown[] = [];
  const store = createUndoStore({ bridge, follow: (shown) => void followed.push(shown) });
  return { store, followed, state: () => store.getState() };
}

test('an undo opens its confirmation', async () => {
  const bridge = fakeBridge({ 'proposals.undo': ({ id }) => ({ id: `undo of ${id}`, address: null }) });
  const { state, followed } = storeOn(bridge);
  await state().undo('a');
  expect(followed).toEqual([{ id: 'undo of a', address: null }]);
  expect(state()).toMatchObject({ doing: null, refusal: null });
});

test('no other undo can be pressed while an undo is being prepared', async () => {
  const prepared = Promise.withResolvers<Shown>();
  const bridge = fakeBridge({ 'proposals.undo': () => prepared.promise });
  const { state } = storeOn(bridge);
  const done = state().undo('a');
  expect(undoOf(state(), 'a')).toMatchObject({ isPreparing: true, isHeld: true });
  expect(undoOf(state(), 'b')).toMatchObject({ isPreparing: false, isHeld: true });
  prepared.resolve({ id: 'undo', address: null });
  await done;
  expect(undoOf(state(), 'b')).toMatchObject({ isPreparing: false, isHeld: false });
});

test('an impossible undo shows its change and the reason until the next undo is requested', async () => {
  const bridge = fakeBridge({
    'proposals.undo': ({ id }) => {
      if (id === 'a') throw new AppError('nothing_to_reverse');
      return { id: 'undo', address: null };
    },
  });
  const { state, followed } = storeOn(bridge);
  await state().undo('a');
  expect(state().refusal).toMatchObject({ of: 'a', failure: { code: 'nothing_to_reverse' } });
  expect(followed).toEqual([]);
  await state().undo('b');
  expect(state().refusal).toBeNull();
});

test('a watched proposal or campaign is read again after every change of a proposal, until the watch ends', async () => {
  let canUndo = true;
  const undo = () => ({ undoes: null, undoneBy: null, canUndo });
  const bridge = fakeBridge({
    'proposals.get': () => exampleProposal({ state: 'verified', undo: undo() }),
    'campaigns.changes': () => ({ items: [] }),
  });
  const { state } = storeOn(bridge);
  const stop = state().watch('a');
  const stopCampaign = state().watchCampaign(7);
  bridge.connect({ kind: 'connected' });
  await settled();
  expect(state().known['a']).toMatchObject({ canUndo: true });
  expect(state().changes[7]).toEqual([]);
  canUndo = false;
  bridge.emit({ kind: 'proposals.changed', id: 'undo' });
  await settled();
  expect(state().known['a']).toMatchObject({ canUndo: false });
  stop();
  stopCampaign();
  const { length } = bridge.asked;
  bridge.emit({ kind: 'proposals.changed', id: 'undo' });
  await settled();
  expect(bridge.asked).toHaveLength(length);
});

test('an emergency stop shows no paused campaigns before the core has answered', () => {
  const view = {
    set: { kind: 'running' as const },
    paused: null,
    resuming: null,
    pending: null,
    profile: 'Northwind Media',
    elsewhere: [],
  };
  expect(pendingStop({ starting: false, view })).toBeNull();
  expect(pendingStop({ starting: true, view })).toEqual({ kind: 'preparing', progress: null });
  const waiting = { kind: 'waiting' as const, id: 'pause' };
  expect(pendingStop({ starting: true, view: { ...view, pending: waiting } })).toEqual(waiting);
});
