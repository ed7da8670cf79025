import type { ProposalState } from '#shared/app-api/index.ts';
import { type Database, readAll, readFirst, writes } from '../../sqlite/database.ts';
import { createProposalReader, type ProposalReader } from './proposal-reader.ts';
import {
  detailsOf,
  listedColumns,
  type ProposalRow,
  type StoredProposal,
  toRow,
  changingColumns,
  originSchema,
  progressSchema,
  storedProgress,
  verdictsFromBlob,
  verdictsToBlob,
} from './proposal-row.ts';

export interface ProposalWriter {
  insert(proposal: StoredProposal): void;
  /** Throws if the stored proposal is not in the state `from`. */
  update(proposal: StoredProposal, from: ProposalState): void;
}

export function createProposalRows(db: Database): ProposalReader & ProposalWriter & ProposalPruner {
  const insert = writes(db, `INSERT INTO proposal ${valuesOf(rowColumns)}`);
  const insertTarget = writes(db, 'INSERT INTO proposal_target (cid, proposal_id) VALUES (?, ?)');
  const update = db.prepare(
    `UPDATE proposal SET state = :state, updated_at_ms = :updated_at_ms, intent_at_ms = :intent_at_ms, progress = :progress,
       verdicts = :verdicts
     WHERE id = :id AND state = :from`,
  );

  return {
    ...createProposalReader(db),
    ...createProposalPruner(db),
    insert(proposal) {
      insert(toRow(proposal));
      if (proposal.operation === 'batch') return;
      for (const cid of proposal.targets) insertTarget(cid, proposal.id);
    },
    update(proposal, from) {
      const { changes } = update.run({ ...changingColumns(proposal), from });
      if (changes !== 1) throw new Error(`Proposal ${proposal.id} was not in the state ${from}`);
    },
  };
}

export interface PrunableProposal {
  id: string;
  profileId: string;
  settledAtMs: number;
}

export interface ProposalPruner {
  prunable(query: { beforeMs: number; after: PrunableProposal | null; limit: number }): PrunableProposal[];
  /** Needs a transaction. Removes payload, base, nonce, the service's answer, and verdicts of fields stored as requested. */
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
  const prunable = readAll<PrunableProposal>(
    db,
    `SELECT id, profile_id AS profileId, updated_at_ms AS settledAtMs FROM proposal
     WHERE pruned_at_ms IS NULL AND state IN ${settled} AND updated_at_ms < :beforeMs
       AND (updated_at_ms, id) > (:afterMs, :afterId)
       AND id NOT IN (SELECT member.value ->> 'id' FROM proposal AS batch, json_each(batch.payload, '$.members') AS member
         WHERE batch.operation = 'batch' AND batch.state IN ('proposed', 'shown', 'approved', 'intent', 'sent', 'unknown'))
     ORDER BY updated_at_ms, id LIMIT :limit`,
  );
  const rowOf = readFirst<ProposalRow & { rowid: number }>(
    db,
    `SELECT rowid, * FROM proposal WHERE id = ? AND pruned_at_ms IS NULL AND state IN ${settled}`,
  );
  const callOf = readFirst<CallRow>(db, 'SELECT * FROM agent_call WHERE proposal_id = ?');
  const remove = writes(db, 'DELETE FROM proposal WHERE id = ?');
  const removeCall = writes(db, 'DELETE FROM agent_call WHERE proposal_id = ?');
  const put = writes(db, `INSERT INTO proposal ${valuesOf(['rowid', ...rowColumns])}`);
  const putCall = writes(
    db,
    `INSERT INTO agent_call (proposal_id, agent_id, session_id, idempotency_key, request_hash, receipt_at_ms, answer)
     VALUES (:proposal_id, :agent_id, :session_id, :idempotency_key, :request_hash, :receipt_at_ms, :answer)`,
  );

  return {
    prunable: ({ beforeMs, after, limit }) =>
      prunable({ beforeMs, afterMs: after?.settledAtMs ?? -1, afterId: after?.id ?? '', limit }),
    prune(ids, atMs) {
      const rows = ids.flatMap((id) => rowOf(id) ?? []);
      const calls = rows.map(({ id }) => callOf(id)).filter((call) => call !== null);
      // Deletes and inserts the rows: a row that shrinks in place leaves its page half empty permanently.
      db.pragma('defer_foreign_keys = ON');
      for (const { id } of rows) {
        removeCall(id);
        remove(id);
      }
      for (const row of rows) put({ ...row, ...withoutDetails(row), pruned_at_ms: atMs });
      for (const call of calls) putCall({ ...call, answer: null });
    },
  };
}

function withoutDetails(
  row: ProposalRow,
): Pick<ProposalRow, 'payload' | 'base' | 'details' | 'nonce' | 'origin' | 'progress' | 'verdicts'> {
  const { stoppedAs: _stoppedAs, ...origin } = originSchema.parse(JSON.parse(row.origin));
  const progress = progressSchema.parse(JSON.parse(row.progress));
  const verdicts = verdictsFromBlob(row.verdicts, detailsOf(row));
  const removed = { payload: '', base: '' };
  // Removes the members `comparable` and `operand`, which group proposals and have no use without details.
  const { comparable: _comparable, operand: _operand, ...headline } = origin.headline;
  return {
    ...removed,
    details: null,
    nonce: '',
    origin: JSON.stringify({ ...origin, headline }),
    progress: JSON.stringify(storedProgress(progress)),
    verdicts: verdictsToBlob(
      verdicts.filter(({ verdict }) => verdict !== 'stored'),
      removed,
    ),
  };
}
