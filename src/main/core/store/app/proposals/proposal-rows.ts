import type { ProposalState } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/database.ts';
import { createProposalReader, type ProposalReader } from './proposal-reader.ts';
import {
  listedColumns,
  type ProposalRow,
  type StoredProposal,
  toRow,
  originSchema,
  progressSchema,
  storedProgress,
  verdictsFromBlob,
  verdictsToBlob,
} from './proposal-row.ts';

export interface ProposalWriter {
  insert(proposal: StoredProposal): void;
  /** Stores what may change of a proposal that is still in the state `from`; throws otherwise, which is a bug. */
  update(proposal: StoredProposal, from: ProposalState): void;
}

/** The proposals of all profiles. What was asked, by whom and on what base is written once and never changed. */
export function createProposalRows(db: Database): ProposalReader & ProposalWriter & ProposalPruner {
  const insert = db.prepare<ProposalRow>(`INSERT INTO proposal ${valuesOf(rowColumns)}`);
  const insertTarget = db.prepare<[number, string]>(
    'INSERT INTO proposal_target (cid, proposal_id) VALUES (?, ?)',
  );
  const update = db.prepare<
    Pick<ProposalRow, 'id' | 'state' | 'updated_at_ms' | 'intent_at_ms' | 'progress' | 'verdicts'> & {
      from: string;
    }
  >(
    `UPDATE proposal SET state = :state, updated_at_ms = :updated_at_ms, intent_at_ms = :intent_at_ms, progress = :progress,
       verdicts = :verdicts
     WHERE id = :id AND state = :from`,
  );

  return {
    ...createProposalReader(db),
    ...createProposalPruner(db),
    insert(proposal) {
      insert.run(toRow(proposal));
      // A batch writes to no campaign and locks none: its members do.
      if (proposal.operation === 'batch') return;
      for (const cid of proposal.targets) insertTarget.run(cid, proposal.id);
    },
    update(proposal, from) {
      const { id, state, updated_at_ms, intent_at_ms, progress, verdicts } = toRow(proposal);
      const { changes } = update.run({ id, state, updated_at_ms, intent_at_ms, progress, verdicts, from });
      if (changes !== 1) throw new Error(`Proposal ${id} was not in the state ${from}`);
    },
  };
}

/** A settled proposal that still has its details. */
export interface PrunableProposal {
  id: string;
  profileId: string;
  settledAtMs: number;
}

export interface ProposalPruner {
  /**
   * Settled before this moment, with details, after the given one, oldest first; without members of a batch that is not
   * settled.
   */
  prunable(query: { beforeMs: number; after: PrunableProposal | null; limit: number }): PrunableProposal[];
  /** Inside a transaction: removes payload, base, verdicts of fields stored as asked, and the service's answer. */
  prune(ids: readonly string[], atMs: number): void;
}

const rowColumns: readonly (keyof ProposalRow)[] = [
  ...listedColumns,
  'payload',
  'base',
  'details',
  'verdicts',
];

const valuesOf = (columns: readonly string[]): string =>
  `(${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`;

const settled = `('verified', 'differs', 'done', 'refused', 'denied', 'expired', 'withdrawn', 'stale')`;

type CallRow = Record<string, string | number | null>;

function createProposalPruner(db: Database): ProposalPruner {
  const prunable = db.prepare<
    { beforeMs: number; afterMs: number; afterId: string; limit: number },
    PrunableProposal
  >(
    `SELECT id, profile_id AS profileId, updated_at_ms AS settledAtMs FROM proposal
     WHERE pruned_at_ms IS NULL AND state IN ${settled} AND updated_at_ms < :beforeMs
       AND (updated_at_ms, id) > (:afterMs, :afterId)
       AND id NOT IN (SELECT member.value ->> 'id' FROM proposal AS batch, json_each(batch.payload, '$.members') AS member
         WHERE batch.operation = 'batch' AND batch.state IN ('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'))
     ORDER BY updated_at_ms, id LIMIT :limit`,
  );
  const rowOf = db.prepare<[string], ProposalRow & { rowid: number }>(
    `SELECT rowid, * FROM proposal WHERE id = ? AND pruned_at_ms IS NULL AND state IN ${settled}`,
  );
  const callOf = db.prepare<[string], CallRow>('SELECT * FROM agent_call WHERE proposal_id = ?');
  const remove = db.prepare<[string]>('DELETE FROM proposal WHERE id = ?');
  const removeCall = db.prepare<[string]>('DELETE FROM agent_call WHERE proposal_id = ?');
  const put = db.prepare<ProposalRow & { rowid: number }>(
    `INSERT INTO proposal ${valuesOf(['rowid', ...rowColumns])}`,
  );
  const putCall = db.prepare<CallRow>(
    `INSERT INTO agent_call (proposal_id, agent_id, session_id, idempotency_key, request_hash, receipt_at_ms, answer)
     VALUES (:proposal_id, :agent_id, :session_id, :idempotency_key, :request_hash, :receipt_at_ms, :answer)`,
  );

  return {
    prunable: ({ beforeMs, after, limit }) =>
      prunable.all({ beforeMs, afterMs: after?.settledAtMs ?? -1, afterId: after?.id ?? '', limit }),
    prune(ids, atMs) {
      const rows = ids.map((id) => rowOf.get(id)).filter((row) => row !== undefined);
      const calls = rows.map(({ id }) => callOf.get(id)).filter((call) => call !== undefined);
      // Rows that only shrink in their place leave their pages half empty for good, so all are removed and then put back.
      db.pragma('defer_foreign_keys = ON');
      for (const { id } of rows) {
        removeCall.run(id);
        remove.run(id);
      }
      for (const row of rows) put.run({ ...row, ...withoutDetails(row), pruned_at_ms: atMs });
      for (const call of calls) putCall.run({ ...call, answer: null });
    },
  };
}

function withoutDetails(
  row: ProposalRow,
): Pick<ProposalRow, 'payload' | 'base' | 'details' | 'nonce' | 'origin' | 'progress' | 'verdicts'> {
  // Its warnings are gone with the details.
  const { stoppedAs: _stoppedAs, ...origin } = originSchema.parse(JSON.parse(row.origin));
  const progress = progressSchema.parse(JSON.parse(row.progress));
  const verdicts = verdictsFromBlob(row.verdicts);
  // A pruned proposal belongs to no group any more. The schema drops the group that earlier versions stored.
  const { comparable: _comparable, operand: _operand, ...headline } = origin.headline;
  return {
    payload: '',
    base: '',
    details: null,
    nonce: '',
    origin: JSON.stringify({ ...origin, headline }),
    progress: JSON.stringify(storedProgress(progress)),
    verdicts: verdictsToBlob(verdicts.filter(({ verdict }) => verdict !== 'stored')),
  };
}
