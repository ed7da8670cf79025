import { describe, expect, test } from 'vitest';
import {
  createEditorStore,
  hasUnsavedEdits,
  type OpenCampaign,
  unread,
} from '#renderer/stores/editor/editor-store.ts';
import type { AppOutput, CampaignDetail } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { fakeBridge, settled } from '../support/fake-bridge.ts';

const proposal = { id: 'p1' } as AppOutput<'campaigns.proposeUpdate'>;

function core(change: { campaign?: JsonObject; waiting?: string[] } = {}) {
  const state = { campaign: exampleCampaign('push'), waiting: [] as string[], ...change };
  const get = (): CampaignDetail => {
    const { types, settings } = exampleContext();
    return {
      edit: { campaign: state.campaign, campaign_types: types, settings },
      readAtMs: 0,
      kept: null,
      lockedBy: null,
      waiting: state.waiting,
    };
  };
  const bridge = fakeBridge({
    'campaigns.get': get,
    'campaigns.proposeUpdate': () => proposal,
    'campaigns.proposeStatus': () => proposal,
  });
  return { bridge, state, store: createEditorStore(bridge) };
}

const lastAsked = (bridge: ReturnType<typeof fakeBridge>, name: string): unknown =>
  bridge.asked.findLast((request) => request.name === name)?.input;

describe('a draft', () => {
  test('survives going to another campaign and back', async () => {
    const { store } = core();
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'payout', '0.45');
    store.getState().open(7);
    store.getState().open(1042);
    await settled();
    expect(store.getState().campaigns[1042]?.draft.payout?.typed).toBe('0.45');
  });

  test('is gone once the service holds what was typed', async () => {
    const { bridge, state, store } = core();
    store.getState().start();
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'payout', '0.45');
    state.campaign = { ...state.campaign, payout: 0.45 };
    bridge.emit({ kind: 'campaigns.changed', cids: [1042] });
    await settled();
    expect(store.getState().campaigns[1042]?.draft).toEqual({});
  });
});

describe('proposing', () => {
  test('sends what changed with the values it was typed over', async () => {
    const { bridge, store } = core();
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'payout', '0.45');
    store.getState().edit(1042, 'status', '3');
    expect(await store.getState().propose(1042)).toBe('p1');
    expect(lastAsked(bridge, 'campaigns.proposeUpdate')).toEqual({
      cid: 1042,
      changes: [
        { field: 'status', from: 1, to: 3 },
        { field: 'payout', from: 0.045, to: 0.45 },
      ],
    });
  });

  test('a status alone becomes a change of status', async () => {
    const { bridge, store } = core();
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'status', '3');
    await store.getState().propose(1042);
    expect(lastAsked(bridge, 'campaigns.proposeStatus')).toEqual({ cids: [1042], status: 3 });
  });

  test('touching the draft again makes it a new change', async () => {
    const { store } = core();
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'payout', '0.45');
    await store.getState().propose(1042);
    expect(store.getState().campaigns[1042]?.proposedId).toBe('p1');
    store.getState().edit(1042, 'payout', '0.46');
    expect(store.getState().campaigns[1042]?.proposedId).toBeNull();
  });

  test('errors of the service stay at their fields until they are edited', async () => {
    const refusal = new AppError('validation_failed', {
      fields: [
        { field: 'payout', code: 'out_of_range', message: 'Too high.' },
        { field: 'd_revenue', code: 'out_of_range', message: 'Too low.' },
      ],
    });
    const { types, settings } = exampleContext();
    const store = createEditorStore(
      fakeBridge({
        'campaigns.get': () => ({
          edit: { campaign: exampleCampaign('push'), campaign_types: types, settings },
          readAtMs: 0,
          kept: null,
          lockedBy: null,
          waiting: [],
        }),
        'campaigns.proposeUpdate': () => {
          throw refusal;
        },
      }),
    );
    store.getState().open(1042);
    await settled();
    store.getState().edit(1042, 'payout', '0.45');
    expect(await store.getState().propose(1042)).toBeNull();
    expect(store.getState().campaigns[1042]?.refused.map(({ field }) => field)).toEqual([
      'payout',
      'd_revenue',
    ]);
    store.getState().edit(1042, 'payout', '0.40');
    expect(store.getState().campaigns[1042]?.refused.map(({ field }) => field)).toEqual(['d_revenue']);
  });
});

test('the open campaign is read again when any may have changed, and not for another one', async () => {
  const { bridge, store } = core();
  const stop = store.getState().start();
  store.getState().open(1042);
  await settled();
  const reads = (): number => bridge.asked.filter(({ name }) => name === 'campaigns.get').length;
  bridge.emit({ kind: 'campaigns.changed', cids: [7] });
  await settled();
  expect(reads()).toBe(1);
  bridge.emit({ kind: 'campaigns.changed', cids: [] });
  await settled();
  expect(reads()).toBe(2);
  stop();
});

test('two hundred proposals at once have the open campaign read a few times, not once for each', async () => {
  const { bridge, store } = core();
  store.getState().start();
  store.getState().open(1042);
  await settled();
  for (let number = 0; number < 200; number += 1) {
    bridge.emit({ kind: 'proposals.changed', id: `p${number}` });
  }
  await settled();
  expect(bridge.asked.filter(({ name }) => name === 'campaigns.get').length).toBeLessThanOrEqual(3);
});

const typed = { name: { typed: 'New', from: 'Old' } };

test.each<[string, Record<number, OpenCampaign>, boolean]>([
  ['nothing open', {}, false],
  ['a campaign that was only looked at', { 7: unread }, false],
  ['a draft', { 7: { ...unread, draft: typed } }, true],
  ['a draft that was proposed as it stands', { 7: { ...unread, draft: typed, proposedId: 'p1' } }, false],
  ['a draft beside a campaign that was looked at', { 7: unread, 8: { ...unread, draft: typed } }, true],
])('%s', (_what, campaigns, unsaved) => {
  expect(hasUnsavedEdits({ campaigns })).toBe(unsaved);
});
