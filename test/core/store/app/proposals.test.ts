import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '#core/platform/logger.ts';
import { systemClock } from '#core/platform/clock.ts';
import { openAppStore, type AppStore, type StoredProposal } from '#core/store/app/index.ts';
import { proposalStates } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { exampleStored } from './stored-proposal.ts';
import { sentence } from '#shared/lib/sentence.ts';

const example = exampleStored();

function open(folder: string): AppStore {
  const store = openAppStore({ folder, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  return store;
}

test('a stored proposal is read back unchanged, and again after a change of state', () => {
  const { proposals } = open(tempFolder());
  proposals.insert(example);
  expect(proposals.find(example.id)).toEqual(example);
  const moved = { ...example, state: 'shown', updatedAtMs: 1_500, reason: 'Because' } as const;
  proposals.update(moved, 'proposed');
  expect(proposals.find(example.id)).toEqual(moved);
  expect(proposals.find('nobody')).toBeNull();
});

test('a proposal changes only from its current state', () => {
  const { proposals } = open(tempFolder());
  proposals.insert(example);
  expect(() => proposals.update({ ...example, state: 'approved' }, 'shown')).toThrow(
    /not in the state shown/,
  );
  expect(proposals.find(example.id)).toEqual(example);
});

test.each(['payload', 'base', 'nonce', 'fingerprint', 'operation', 'profile_id', 'expires_at_ms', 'origin'])(
  'the database refuses to change the %s of a stored proposal',
  (column) => {
    const folder = tempFolder();
    open(folder).proposals.insert(example);
    const db = new BetterSqlite3(join(folder, 'countersign.sqlite'));
    onTestFinished(() => void db.close());
    expect(() => db.exec(`UPDATE proposal SET ${column} = '1'`)).toThrow(/never changed/);
  },
);

describe.each(proposalStates)('a proposal that is %s', (state) => {
  const isOpen = ['proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'].includes(state);
  const isUndecided = ['proposed', 'shown'].includes(state);
  const locks = ['intent', 'sent', 'unknown'].includes(state);

  test('is listed, counted, due and locking according to its state', () => {
    const { proposals } = open(tempFolder());
    proposals.insert({ ...example, state });
    const total = (which: 'open' | 'settled'): number =>
      proposals.page({ which, before: null, limit: 9 }).total;
    expect({ open: total('open'), settled: total('settled') }).toEqual({ open: +isOpen, settled: +!isOpen });
    expect(proposals.open()).toHaveLength(+isOpen);
    expect(proposals.countUndecided()).toBe(+isUndecided);
    const at = (wallMs: number) => ({ wallMs, monotonicMs: 0 });
    expect(proposals.due(at(1_999), 9)).toEqual([]);
    expect(proposals.due(at(2_000), 9)).toHaveLength(+isUndecided);
    expect(proposals.dueAmong([example.id], at(1_999))).toEqual([]);
    expect(proposals.dueAmong([example.id], at(2_000))).toHaveLength(+isUndecided);
    expect(proposals.dueAmong([], at(2_000))).toEqual([]);
    expect(proposals.leftUntilExpiryMs(at(1_500))).toBe(isUndecided ? 500 : null);
    expect(proposals.undecidedFor('demo', 1043)).toHaveLength(+isUndecided);
    expect(proposals.lockOf('demo', 1043)).toBe(locks ? example.id : null);
    expect(proposals.lockOf('demo', 1043, example.id)).toBeNull();
    expect(proposals.lockOf('live', 1043)).toBeNull();
    expect(proposals.lockOf('demo', 1044)).toBeNull();
    expect([...proposals.locksOf('demo', [1044, 1043])]).toEqual(locks ? [[1043, example.id]] : []);
    expect(proposals.underWay('demo')).toHaveLength(+(locks || state === 'approved'));
    expect(proposals.underWay('live')).toEqual([]);
    expect(proposals.countUnknownCampaigns()).toBe(state === 'unknown' ? 2 : 0);
  });
});

describe('a batch', () => {
  const members = [
    { ...example, id: '0001' },
    { ...example, id: '0002' },
    { ...example, id: '0003' },
  ];
  const payload = JSON.stringify({ members: [{ id: '0001' }, { id: '0002' }] });
  const batch: StoredProposal = { ...example, id: '0004', operation: 'batch', payload };
  const opened = (state: StoredProposal['state']): AppStore['proposals'] => {
    const { proposals } = open(tempFolder());
    for (const one of [...members, { ...batch, state }]) proposals.insert(one);
    return proposals;
  };
  const listed = (proposals: AppStore['proposals']): string[] =>
    proposals.page({ which: 'open', before: null, limit: 9 }).proposals.map(({ id }) => id);

  test.each(['proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'] as const)(
    'that is %s is listed instead of its members',
    (state) => {
      const proposals = opened(state);
      expect(listed(proposals)).toEqual(['0004', '0003']);
      expect(proposals.page({ which: 'open', before: null, limit: 9 }).total).toBe(2);
      // The batch's members belong to the person, so together they take one place.
      expect(proposals.countUndecided()).toBe(2);
      expect(proposals.openBatchOf('0002')).toBe('0004');
      expect(proposals.openBatchOf('0003')).toBeNull();
    },
  );

  test('of agents’ changes takes one place for each of them', () => {
    const { proposals } = open(tempFolder());
    for (const one of members) {
      const proposedBy = { kind: 'agent', name: 'Claude Code', sinceMs: 1, agentId: 'a' } as const;
      proposals.insert({ ...one, proposedBy });
    }
    proposals.insert(batch);
    expect(proposals.countUndecided()).toBe(3);
  });

  test('that has ended no longer hides its members', () => {
    const proposals = opened('denied');
    expect(proposals.countUndecided()).toBe(3);
    expect(listed(proposals)).toEqual(['0003', '0002', '0001']);
    expect(proposals.countWaiting()).toBe(3);
    expect(proposals.openBatchOf('0002')).toBeNull();
  });

  test('counts once, targets no campaign itself, and has the money of its members', () => {
    const proposals = opened('shown');
    expect(proposals.countWaiting()).toBe(2);
    expect(proposals.undecidedFor('demo', 1042)).toEqual(['0003', '0002', '0001']);
    expect(opened('unknown').lockOf('demo', 1042)).toBeNull();
    expect(opened('unknown').underWay('demo')).toEqual([]);
    expect(proposals.waitingMoney('demo')).toEqual(
      members.map(({ headline, targets }) => ({ perDay: headline.perDay, targetCount: targets.length })),
    );
    expect(proposals.waitingMoney('live')).toEqual([]);
  });
});

test('proposals that undo another proposal are found by it, newest first, even without their details', () => {
  const { proposals, transaction } = open(tempFolder());
  const undoes = {
    id: '0001',
    skipped: [{ what: sentence`Bid`, because: sentence`It is another one now.` }],
  };
  proposals.insert(example);
  proposals.insert(exampleStored({ id: '0002', state: 'denied', undoes }));
  proposals.insert(exampleStored({ id: '0003', undoes }));
  transaction(() => proposals.prune(['0002'], 9_000));
  expect(proposals.undosOf('0001').map((undo) => [undo.id, undo.undoes])).toEqual([
    ['0003', undoes],
    ['0002', undoes],
  ]);
  expect(proposals.find('0002')?.prunedAtMs).toBe(9_000);
  expect(proposals.undosOf('0002')).toEqual([]);
});
