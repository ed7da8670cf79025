import { z } from 'zod';
import type { Database } from '../../sqlite/index.ts';

/** The last change of a campaign's status through this app. */
export interface StoredStatusChange {
  cid: number;
  /** Null where it is not known. */
  before: number | null;
  /** Null if a write may have changed the status and no read told what it became. */
  after: number | null;
  /** When it was sent. */
  atMs: number;
  /** The name of an agent or a schedule is foreign text. */
  by: { kind: 'person' | 'agent' | 'schedule'; name: string };
  proposalId: string;
  /** Its return to the status before is offered until it is used or dismissed. */
  isReturnOffered: boolean;
}

export interface StatusChangeRows {
  /** Takes the place of an older one of the same campaign; does nothing if the one there was sent later. */
  put(profileId: string, change: StoredStatusChange): void;
  find(profileId: string, cid: number): StoredStatusChange | null;
  /**
   * True if a write to the campaign that was sent at this moment or later is under way or has an unknown outcome, also one that is no
   * longer looked for.
   */
  hasUnknownSince(profileId: string, cid: number, sinceMs: number): boolean;
  /** Changes whose return is offered, by proposal and campaign. */
  offered(profileId: string): StoredStatusChange[];
  /** Ends the offer for the changes of a proposal. */
  dismiss(profileId: string, proposalId: string): void;
}

interface StatusChangeRow {
  cid: number;
  before: number | null;
  after: number | null;
  atMs: number;
  byKind: string;
  byName: string;
  proposalId: string;
  isReturnOffered: number;
}

const columns = `cid, before, after, at_ms AS atMs, by_kind AS byKind, by_name AS byName, proposal_id AS proposalId,
  return_offered AS isReturnOffered`;

const kindSchema = z.enum(['person', 'agent', 'schedule']);

/** One row for each campaign, so that the removal of proposals' details takes nothing from it. */
export function createStatusChangeRows(db: Database): StatusChangeRows {
  const put = db.prepare<[StatusChangeRow & { profileId: string }]>(
    `INSERT INTO status_change
       (profile_id, cid, before, after, at_ms, by_kind, by_name, proposal_id, return_offered)
     VALUES (:profileId, :cid, :before, :after, :atMs, :byKind, :byName, :proposalId, :isReturnOffered)
     ON CONFLICT (profile_id, cid) DO UPDATE SET before = excluded.before, after = excluded.after, at_ms = excluded.at_ms,
       by_kind = excluded.by_kind, by_name = excluded.by_name, proposal_id = excluded.proposal_id,
       return_offered = excluded.return_offered
     WHERE excluded.at_ms >= status_change.at_ms`,
  );
  const find = db.prepare<[string, number], StatusChangeRow>(
    `SELECT ${columns} FROM status_change WHERE profile_id = ? AND cid = ?`,
  );
  const unknownSince = db
    .prepare<[string, number, number], number>(
      `SELECT 1 FROM proposal_target JOIN proposal ON proposal.id = proposal_target.proposal_id
       WHERE proposal.profile_id = ? AND proposal_target.cid = ? AND proposal.state IN ('intent', 'sent', 'unknown')
         AND proposal.intent_at_ms >= ? LIMIT 1`,
    )
    .pluck();
  const offered = db.prepare<[string], StatusChangeRow>(
    `SELECT ${columns} FROM status_change WHERE profile_id = ? AND return_offered = 1 ORDER BY proposal_id, cid`,
  );
  const dismiss = db.prepare<[string, string]>(
    'UPDATE status_change SET return_offered = 0 WHERE profile_id = ? AND proposal_id = ? AND return_offered = 1',
  );
  return {
    put(profileId, { by, isReturnOffered, ...change }) {
      const row = { ...change, byKind: by.kind, byName: by.name, isReturnOffered: Number(isReturnOffered) };
      put.run({ ...row, profileId });
    },
    find(profileId, cid) {
      const row = find.get(profileId, cid);
      return row === undefined ? null : fromRow(row);
    },
    hasUnknownSince: (profileId, cid, sinceMs) => unknownSince.get(profileId, cid, sinceMs) !== undefined,
    offered: (profileId) => offered.all(profileId).map(fromRow),
    dismiss: (profileId, proposalId) => void dismiss.run(profileId, proposalId),
  };
}

function fromRow({ byKind, byName, isReturnOffered, ...row }: StatusChangeRow): StoredStatusChange {
  const by = { kind: kindSchema.parse(byKind), name: byName };
  return { ...row, by, isReturnOffered: isReturnOffered === 1 };
}
