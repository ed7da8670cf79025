import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import type { FieldDraft } from '#shared/drafts/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const demo = { profileId: 'demo', account: '7' };
const draft: FieldDraft = { from: 1, operations: [{ kind: 'set', value: 2 }] };

function open(): AppStore['drafts'] {
  const store = openAppStore({ folder: tempFolder(), clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  return store.drafts;
}

test('forgetting a campaign removes it from every step, and removes steps without campaigns', () => {
  const { steps } = open();
  const change = (cid: number) => ({ cid, field: 'payout', before: null, after: draft });
  steps.add(demo, { title: 'Both', changes: [change(1), change(2)] });
  steps.add(demo, { title: 'First', changes: [change(1)] });
  steps.dropCampaign({ ...demo, account: '8' }, 1);
  expect(steps.nextTitle(demo, 'undo')).toBe('First');
  steps.dropCampaign(demo, 1);
  expect(steps.next(demo, 'undo')).toMatchObject({ title: 'Both', changes: [{ cid: 2, draft: null }] });
});

test('drafts of an unknown account move to the account once it is known, and never to another profile', () => {
  const { fields, steps, reviews, adopt, forget } = open();
  const unknown = { ...demo, account: '' };
  fields.put(unknown, { cid: 1, field: 'payout', draft });
  steps.add(unknown, { title: 'Raise', changes: [] });
  reviews.put(unknown, { cid: 1, proposalId: 'p', returned: null });
  adopt('other', '7');
  expect(fields.all(demo)).toEqual([]);
  adopt('demo', '7');
  expect(fields.all(demo)).toEqual([{ cid: 1, field: 'payout', draft }]);
  expect(steps.nextTitle(demo, 'undo')).toBe('Raise');
  expect(reviews.ofProposal('p')).toMatchObject([{ ...demo, cid: 1 }]);
  expect(reviews.proposalIds()).toEqual(['p']);
  forget('demo');
  expect([fields.all(demo), reviews.all(demo), steps.nextTitle(demo, 'undo')]).toEqual([[], [], null]);
});
