import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { systemClock } from '#core/platform/clock.ts';
import { openAppStore, type AppStore, type StoredStatusChange } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { exampleStored } from '../stored-proposal.ts';

const change: StoredStatusChange = {
  cid: 1042,
  before: 1,
  after: 3,
  atMs: 2_000,
  by: { kind: 'agent', name: 'Lister' },
  proposalId: '0001',
  isReturnOffered: true,
};

function open(folder = tempFolder()): AppStore {
  const store = openAppStore({ folder, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  return store;
}

test('a campaign has its latest change of status, and an earlier one does not replace it', () => {
  const { statusChanges } = open();
  statusChanges.put('demo', change);
  expect(statusChanges.find('demo', 1042)).toEqual(change);
  expect(statusChanges.find('other', 1042)).toBeNull();
  statusChanges.put('demo', { ...change, after: 2, atMs: 1_999 });
  expect(statusChanges.find('demo', 1042)).toEqual(change);
  const later = { ...change, after: null, atMs: 2_000, proposalId: '0002', isReturnOffered: false };
  statusChanges.put('demo', later);
  expect(statusChanges.find('demo', 1042)).toEqual(later);
});

test('an offered return ends when it is dismissed or when another change replaces it', () => {
  const { statusChanges } = open();
  for (const cid of [1, 2, 3]) statusChanges.put('demo', { ...change, cid });
  statusChanges.put('demo', { ...change, cid: 4, proposalId: '0002' });
  statusChanges.put('demo', { ...change, cid: 1, proposalId: '0003', isReturnOffered: false });
  expect(statusChanges.offered('demo').map(({ cid }) => cid)).toEqual([2, 3, 4]);
  statusChanges.dismiss('demo', '0001');
  expect(statusChanges.offered('demo').map(({ cid }) => cid)).toEqual([4]);
});

test.each(['intent', 'sent', 'unknown', 'verified'] as const)(
  'a write in the state %s makes a change of status doubtful only if it was sent later and its outcome is unknown',
  (state) => {
    const { proposals, statusChanges } = open();
    proposals.insert(exampleStored({ state, intentAtMs: 2_000 }));
    const isUnknown = state !== 'verified';
    expect(statusChanges.hasUnknownSince('demo', 1042, 2_000)).toBe(isUnknown);
    expect(statusChanges.hasUnknownSince('demo', 1042, 2_001)).toBe(false);
    expect(statusChanges.hasUnknownSince('demo', 7, 0)).toBe(false);
    expect(statusChanges.hasUnknownSince('other', 1042, 0)).toBe(false);
  },
);
