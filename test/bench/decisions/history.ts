import { createLedger } from '#core/ledger/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { openAppStore, type StoredProposal } from '#core/store/app/index.ts';
import type { WarningCode } from '#shared/campaign/index.ts';
import { exampleStored } from '#test/core/store/app/stored-proposal.ts';

const agents = ['Claude Code', 'Codex', 'Budget script'];
const warnings: WarningCode[][] = [
  [],
  ['bid_doubled'],
  ['destination_changes'],
  ['schedule_wiped'],
  ['worldwide', 'per_day_tenfold'],
];
const approvedKinds = ['proposal.approved', 'write.intent', 'write.sent', 'write.verified'];

export interface HistoryPlan {
  folder: string;
  dataKey: Buffer;
  /** Ledger rows to write, at least. */
  rows: number;
  /** Days up to now over which they are spread. */
  days: number;
}

/**
 * Writes decisions as the gate leaves them: proposals of a person and three agents on 400 campaigns, one of four denied, one of fifty
 * undone, and a few reversals and emergency stops.
 */
export async function writeHistory({ folder, dataKey, rows, days }: HistoryPlan): Promise<void> {
  const endsAtMs = Date.now();
  const startsAtMs = endsAtMs - days * 86_400_000;
  let nowMs = startsAtMs;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} };
  const store = openAppStore({ folder, clock, logger });
  const keys = createSecrets({ store, sealer: createSealer(dataKey) });
  const ledger = createLedger({ store, keys, clock, logger, onChange: () => {} });
  const stepMs = (endsAtMs - startsAtMs) / (rows / 5);
  let number = 0;
  let previous = '';

  function append(kind: string, { id, proposedBy, headline, profile }: StoredProposal, more = {}): void {
    const { agentId } = proposedBy;
    const body = { profile: profile.id, ...(agentId === null ? {} : { agent: agentId }), ...more };
    ledger.append({ kind, proposalId: id, actor: 'You', via: 'browser', summary: headline.title, body });
  }

  function decide(): void {
    number += 1;
    nowMs = Math.round(startsAtMs + number * stepMs);
    const isUndo = number % 50 === 0;
    const isDenied = !isUndo && number % 4 === 0;
    const proposal = proposalOf({ number, nowMs, state: isDenied ? 'denied' : 'verified', undoes: isUndo ? previous : null });
    store.proposals.insert(proposal);
    for (const kind of ['proposal.proposed', 'proposal.shown']) append(kind, proposal);
    for (const kind of isDenied ? ['proposal.denied'] : approvedKinds) append(kind, proposal);
    if (number % 997 === 0) append('reversal.proposed', proposal, { sinceMs: nowMs - 86_400_000 });
    if (number % 1_999 === 0) append('emergency-stop.started', proposal);
    if (!isDenied) previous = proposal.id;
  }

  while (store.ledger.count() < rows) {
    store.transaction(() => {
      for (let some = 0; some < 10; some += 1) decide();
    });
  }
  await ledger.dispose();
  await store.dispose();
}

interface Decided {
  number: number;
  nowMs: number;
  state: StoredProposal['state'];
  undoes: string | null;
}

function proposalOf({ number, nowMs, state, undoes }: Decided): StoredProposal {
  const agent = undoes === null ? agents[number % 5] : undefined;
  const example = exampleStored();
  return exampleStored({
    id: `${nowMs.toString(36).padStart(9, '0')}${String(number).padStart(18, '0')}`,
    state,
    proposedBy:
      agent === undefined
        ? example.proposedBy
        : { kind: 'agent', name: agent, sinceMs: 0, agentId: `agent-${agent}` },
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 1,
    updatedAtMs: nowMs,
    intentAtMs: state === 'denied' ? null : nowMs,
    targets: [1_000 + (number % 400)],
    headline: {
      ...example.headline,
      title: `Raise the bid of “DE push – summer ${number % 400}” from $0.045 to $0.05`,
      warningCodes: warnings[number % 3 === 0 ? number % warnings.length : 0] ?? [],
    },
    rebase: null,
    undoes: undoes === null ? null : { id: undoes, skipped: [] },
    outcome: null,
  });
}
