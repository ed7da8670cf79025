import type { Migration } from '../../sqlite/index.ts';

/**
 * Finds the proposals that undo another one, and keeps the last change of each campaign's status that went through this app. Of earlier
 * writes it is not known whether they changed a status: their campaigns get a row that says so.
 */
export const undoAndStatusChanges: Migration = {
  number: 11,
  name: 'undo and status changes',
  up(db) {
    db.exec(`
      CREATE INDEX proposal_by_undone ON proposal (json_extract(origin, '$.undoes.id'))
        WHERE json_extract(origin, '$.undoes.id') IS NOT NULL;

      CREATE TABLE status_change (
        profile_id TEXT NOT NULL,
        cid INTEGER NOT NULL,
        before INTEGER,
        after INTEGER,
        at_ms INTEGER NOT NULL,
        by_kind TEXT NOT NULL CHECK (by_kind IN ('person', 'agent', 'schedule')),
        by_name TEXT NOT NULL,
        proposal_id TEXT NOT NULL,
        return_offered INTEGER NOT NULL CHECK (return_offered IN (0, 1)),
        PRIMARY KEY (profile_id, cid)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX status_change_return ON status_change (profile_id, proposal_id) WHERE return_offered = 1;

      -- Of several rows with the same campaign, max() takes the columns of the newest one.
      INSERT INTO status_change
      SELECT proposal.profile_id, proposal_target.cid, NULL, NULL, max(proposal.intent_at_ms),
        proposal.origin ->> '$.proposedBy.kind', proposal.origin ->> '$.proposedBy.name', proposal.id, 0
      FROM proposal JOIN proposal_target ON proposal_target.proposal_id = proposal.id
      WHERE proposal.intent_at_ms IS NOT NULL AND proposal.state IN ('verified', 'differs', 'done')
        AND proposal.operation IN ('campaign.update', 'campaign.status', 'tool.call')
      GROUP BY proposal.profile_id, proposal_target.cid;`);
  },
};
