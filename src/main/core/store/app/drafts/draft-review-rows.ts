import type { Database } from '../../sqlite/index.ts';
import type { DraftScope } from './draft-rows.ts';

/** How the review of a campaign's drafts stands. */
export interface DraftReview {
  cid: number;
  /** The proposal that was made of them and is not settled. */
  proposalId: string | null;
  /** The reason why the last proposal came to nothing. */
  returned: { atMs: number; reason: string } | null;
}

export interface DraftReviewReader {
  all(scope: DraftScope): DraftReview[];
  of(scope: DraftScope, cid: number): DraftReview | null;
  /** Every campaign whose drafts are under review, of all profiles. */
  proposed(): (DraftScope & { cid: number; proposalId: string })[];
  /** The campaigns whose drafts are under review with this proposal. */
  ofProposal(proposalId: string): (DraftScope & { cid: number })[];
}

export interface DraftReviewWriter {
  put(scope: DraftScope, review: DraftReview): void;
  remove(scope: DraftScope, cid: number): void;
}

interface Row {
  cid: number;
  proposalId: string | null;
  atMs: number | null;
  reason: string | null;
}

/** The proposals that were made of drafts. */
export function createDraftReviewRows(db: Database): DraftReviewReader & DraftReviewWriter {
  const select = `SELECT cid, proposal_id AS proposalId, returned_at_ms AS atMs, returned_reason AS reason
    FROM draft_review WHERE profile_id = :profileId AND account = :account`;
  const all = db.prepare<[DraftScope], Row>(select);
  const of = db.prepare<[DraftScope & { cid: number }], Row>(`${select} AND cid = :cid`);
  const proposed = db.prepare<[], DraftScope & { cid: number; proposalId: string }>(
    `SELECT profile_id AS profileId, account, cid, proposal_id AS proposalId
     FROM draft_review WHERE proposal_id IS NOT NULL`,
  );
  const ofProposal = db.prepare<[string], DraftScope & { cid: number }>(
    'SELECT profile_id AS profileId, account, cid FROM draft_review WHERE proposal_id = ?',
  );
  const put = db.prepare<[DraftScope & Row]>(
    `INSERT INTO draft_review (profile_id, account, cid, proposal_id, returned_at_ms, returned_reason)
     VALUES (:profileId, :account, :cid, :proposalId, :atMs, :reason)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET proposal_id = excluded.proposal_id,
       returned_at_ms = excluded.returned_at_ms, returned_reason = excluded.returned_reason`,
  );
  const remove = db.prepare<[DraftScope & { cid: number }]>(
    'DELETE FROM draft_review WHERE profile_id = :profileId AND account = :account AND cid = :cid',
  );
  return {
    all: (scope) => all.all(scope).map(fromRow),
    of(scope, cid) {
      const row = of.get({ ...scope, cid });
      return row === undefined ? null : fromRow(row);
    },
    proposed: () => proposed.all(),
    ofProposal: (proposalId) => ofProposal.all(proposalId),
    put(scope, { cid, proposalId, returned }) {
      const { atMs, reason } = returned ?? { atMs: null, reason: null };
      put.run({ ...scope, cid, proposalId, atMs, reason });
    },
    remove: (scope, cid) => void remove.run({ ...scope, cid }),
  };
}

function fromRow({ cid, proposalId, atMs, reason }: Row): DraftReview {
  return { cid, proposalId, returned: atMs === null || reason === null ? null : { atMs, reason } };
}
