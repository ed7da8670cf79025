import { expect, test } from 'vitest';
import type { Connection } from '#core/connections/index.ts';
import type { PreparedWrite, Proposer } from '#core/proposals/operations/operation.ts';
import { createProposing, type ProposingOptions } from '#core/proposals/proposing/proposing.ts';
import type { AppEvent } from '#shared/app-api/index.ts';

/** Proposes for a profile while, during the preparation, another proposal binds the profile to the account 1001. */
async function proposeMeanwhile(reported: string | null) {
  let account = '';
  const bound: [id: string, account: string][] = [];
  const profiles = {
    get: () => ({ account }),
    setAccount(id: string, learned: string) {
      bound.push([id, learned]);
      account = learned;
    },
  };
  const connection = { profile: { id: 'live-1' } } as unknown as Connection;
  const store = {
    proposals: {
      countUndecidedBySide: () => ({ agents: 0, own: 0, drafts: 0 }),
      locksOf: () => new Map(),
    },
    transaction: <T>(run: () => T): T => run(),
    afterCommit: (run: () => void) => run(),
  };
  const proposer = {
    profile: { id: 'live-1', name: 'Live', account: '' },
    proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
  } as unknown as Proposer;
  const events: AppEvent[] = [];
  const proposing = createProposing({
    store,
    profiles,
    connections: { of: () => connection },
    // The journal has the reported account, or else the account at the beginning of the proposer's call.
    journal: {
      propose: (draft: PreparedWrite, { profile }: Proposer) => ({
        profile: { ...profile, account: draft.account ?? profile.account },
      }),
    },
    expiry: { schedule: () => undefined },
    limits: { assertMayPropose: () => undefined },
    emit: (event: AppEvent) => void events.push(event),
  } as unknown as ProposingOptions);
  await proposing.propose({
    connection,
    proposer,
    cids: [],
    async prepare() {
      account = '1001';
      return {
        account: reported,
        targets: [],
        operation: 'tool.call',
        payload: '{}',
      } as unknown as PreparedWrite;
    },
  });
  return { account, bound, events };
}

test('a preparation without a reported account keeps the account that another proposal learned meanwhile', async () => {
  expect(await proposeMeanwhile(null)).toEqual({ account: '1001', bound: [], events: [] });
});

test('a reported account is bound to the profile, and the pages are notified', async () => {
  expect(await proposeMeanwhile('2002')).toEqual({
    account: '2002',
    bound: [['live-1', '2002']],
    events: [{ kind: 'profiles.changed' }],
  });
});
