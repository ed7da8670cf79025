import { describe, expect, onTestFinished, test } from 'vitest';
import { createDraftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { createEditorStore, hasUnsavedEdits } from '#renderer/stores/editor/editor-store.ts';
import type { CampaignDetail } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const payout = { from: 0.045, operations: [{ kind: 'set' as const, value: 0.45 }] };

interface Answers {
  get?: (detail: CampaignDetail) => Promise<CampaignDetail>;
  propose?: () => never;
}

function core({ get, propose }: Answers = {}) {
  const detail = (): CampaignDetail => {
    const { types, settings } = exampleContext();
    return {
      edit: { campaign: exampleCampaign('push'), campaign_types: types, settings },
      readAtMs: 0,
      cached: null,
      lockedBy: null,
      waiting: [],
    };
  };
  const bridge = fakeBridge({
    'campaigns.get': () => (get ? get(detail()) : detail()),
    'drafts.get': () => ({ campaigns: [], history: { undo: null, redo: null }, newestStep: null }),
    'drafts.change': () => ({ step: 1 }),
    'drafts.propose': ({ cids }) =>
      propose ? propose() : { proposed: cids.map((cid) => ({ cid, proposalId: `p${cid}` })), refused: [] },
  });
  const drafts = createDraftsStore(bridge);
  return { bridge, drafts, store: createEditorStore(bridge, drafts) };
}

describe('proposing', () => {
  test('waits until the last input is stored, and proposes only the open campaign', async () => {
    const { bridge, drafts, store } = core();
    store.getState().open(1042);
    await settled();
    drafts.getState().change('Bid', [{ cid: 1042, field: 'payout', draft: payout }], '1042 payout');
    expect(await store.getState().propose(1042)).toBe('p1042');
    const names = bridge.asked.map(({ name }) => name);
    expect(names.indexOf('drafts.change')).toBeLessThan(names.indexOf('drafts.propose'));
    expect(bridge.asked.find(({ name }) => name === 'drafts.propose')?.input).toEqual({ cids: [1042] });
  });

  test('that fails shows the reason until the next input', async () => {
    const { store } = core({
      propose() {
        throw new AppError('too_many_waiting');
      },
    });
    store.getState().open(1042);
    await settled();
    expect(await store.getState().propose(1042)).toBeNull();
    expect(store.getState().campaigns[1042]?.refusal?.message).toBe(new AppError('too_many_waiting').message);
    store.getState().type(1042, 'payout', '0.4');
    expect(store.getState().campaigns[1042]?.refusal).toBeNull();
  });
});

test('the open campaign is read again if it may have changed, not if only another campaign changed', async () => {
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

test('the latest read is shown, however late an earlier read is answered', async () => {
  const answers: (() => void)[] = [];
  let readAtMs = 0;
  const { bridge, store } = core({
    get: (detail) => {
      readAtMs += 1;
      const answer = { ...detail, readAtMs };
      return new Promise((resolve, reject) => {
        answers.push(() =>
          answer.readAtMs === 2 ? reject(new AppError('core_unreachable')) : resolve(answer),
        );
      });
    },
  });
  onTestFinished(store.getState().start());
  store.getState().open(1042);
  store.getState().open(1042);
  bridge.emit({ kind: 'campaigns.changed', cids: [1042] });
  await settled();
  for (const answer of answers.toReversed()) answer();
  await settled();
  expect(store.getState().campaigns[1042]).toMatchObject({ detail: { readAtMs: 3 }, failure: null });
});

test('two hundred simultaneous proposals cause a few reads of the open campaign, not one for each', async () => {
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

test('only a text that cannot be read as a value counts as an unsaved edit', async () => {
  const { store } = core();
  store.getState().open(1042);
  await settled();
  expect(hasUnsavedEdits(store.getState())).toBe(false);
  store.getState().type(1042, 'payout', '1,234');
  expect(hasUnsavedEdits(store.getState())).toBe(true);
  store.getState().forgetTyped(1042);
  expect(hasUnsavedEdits(store.getState())).toBe(false);
});

test('an unreadable text is replaced when the field gets a new draft', async () => {
  const { drafts, store } = core();
  store.getState().start();
  store.getState().open(1042);
  await settled();
  store.getState().type(1042, 'payout', 'abc');
  store.getState().type(1042, 'd_revenue', '1,234');
  drafts.getState().change('Bid', [{ cid: 1042, field: 'payout', draft: payout }]);
  expect(store.getState().campaigns[1042]?.typed).toEqual({ d_revenue: '1,234' });
  store.getState().type(1042, 'payout', '0.450');
  drafts.getState().change('Bid', [{ cid: 1042, field: 'payout', draft: payout }], '1042 payout');
  expect(store.getState().campaigns[1042]?.typed['payout']).toBe('0.450');
});
