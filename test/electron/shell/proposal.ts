import type { ProposalView } from '#shared/app-api/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

const none = { text: '$0.00', micros: '0', unlimited: false };
const same = { before: none, after: none };

/** A plain proposal in this state. */
export function proposal(state: string): unknown {
  const view: Omit<ProposalView, 'state'> = {
    id: 'p1',
    operation: 'campaign.status',
    title: sentence`Pause “DE push – summer”`,
    profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1042', zone: 'UTC' },
    proposedBy: { kind: 'agent', name: 'Claude Code', sinceMs: 1, agentId: 'agent-1' },
    detail: { kind: 'campaigns' },
    queue: null,
    quotation: null,
    createdAtMs: 1,
    expiresAtMs: 2,
    updatedAtMs: 1,
    targets: [],
    risk: { perDay: same, untilEnd: same, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    changes: [],
    facts: [],
    unchanged: [],
    payload: '{}',
    fingerprint: '7f3a'.repeat(16),
    rebase: null,
    conflict: [],
    replacedBy: null,
    verdicts: [],
    outcome: null,
    reason: null,
    prunedAtMs: null,
  };
  return { ...view, state };
}
