import type { ProposalState } from '#shared/app-api/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { createProposalPruner, type ProposalPruner } from './proposal-pruning.ts';
import { createProposalReader, type ProposalReader } from './proposal-reader.ts';
import { type ProposalRow, type StoredProposal, toRow } from './proposal-row.ts';

export interface ProposalWriter {
  insert(proposal: StoredProposal): void;
  /**
   * Stores what may change of a proposal when it is still in the state `from`; throws otherwise, which is a bug: one core
   * owns the file.
   */
  update(proposal: StoredProposal, from: ProposalState): void;
}

/** The proposals of all profiles. What was asked, by whom and on what base is written once and never changed. */
export function createProposalRows(db: Database): ProposalReader & ProposalWriter & ProposalPruner {
  const insert = db.prepare<Omit<ProposalRow, 'pruned_at_ms'>>(
    `INSERT INTO proposal (id, operation, state, profile_id, agent_id, created_at_ms, expires_at_ms, updated_at_ms, intent_at_ms,
       payload, base, details, nonce, fingerprint, origin, progress, verdicts)
     VALUES (:id, :operation, :state, :profile_id, :agent_id, :created_at_ms, :expires_at_ms, :updated_at_ms, :intent_at_ms,
       :payload, :base, :details, :nonce, :fingerprint, :origin, :progress, :verdicts)`,
  );
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
      const { pruned_at_ms: _neverYet, ...row } = toRow(proposal);
      insert.run(row);
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
