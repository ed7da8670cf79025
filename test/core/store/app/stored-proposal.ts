import type { StoredProposal } from '#core/store/app/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

const none = { text: '$0.00', unlimited: false, micros: '0' };

/** A proposal as the store returns it. */
export function exampleStored(change: Partial<StoredProposal> = {}): StoredProposal {
  return {
    id: '0001',
    operation: 'campaign.update',
    state: 'proposed',
    profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '7', zone: 'UTC' },
    proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
    quotation: null,
    createdAtMs: 1_000,
    expiresAtMs: 2_000,
    updatedAtMs: 1_000,
    intentAtMs: null,
    targets: [1042, 1043],
    payload: '{"cid":1042}',
    base: '{"campaign":{}}',
    nonce: 'nonce',
    fingerprint: 'f'.repeat(64),
    headline: {
      title: sentence`Pause “A”`,
      perDay: { before: none, after: none },
      worstWarning: 'danger',
      comparable: null,
      operand: null,
      askedBy: null,
    },
    rebase: { of: '0000', round: 1, moved: [], volatile: ['name'] },
    undoes: null,
    conflict: [],
    replacedBy: null,
    verdicts: [],
    outcome: { code: 'proposal_stale', message: sentence`Moved` },
    reason: null,
    prunedAtMs: null,
    ...change,
  };
}
