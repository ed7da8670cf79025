import type { Database } from '../../sqlite/index.ts';
import type { DraftScope } from './draft-rows.ts';

/** How the review of a campaign's drafts stands. */
export interface DraftReview {
  cid: number;
  /** The proposal that was made of them last. */
  proposalId: string;
  /** The reason why it came to nothing; null while it is not settled. */
  returned: { atMs: number; reason: string } | null;
}

export interface DraftReviewReader {
  all(scope: DraftScope): DraftReview[];
  of(scope: DraftScope, cid: number): DraftReview | null;
  /** The proposals of all drafts of all profiles that are not settled. */
  proposalIds(): string[];
  /** The reviews whose last proposal is this one. */
  ofProposal(proposalId: string): (DraftScope & DraftReview)[];
}

export interface DraftReviewWriter {
  put(scope: DraftScope, review: DraftReview): void;
  remove(scope: DraftScope, cid: number): void;
}

interface DraftReviewRow extends DraftScope, Omit<DraftReview, 'returned'> {
  atMs: number | null;
  reason: string | null;
}

/** The proposals that were made of drafts. */
export function createDraftReviewRows(db: Database): DraftReviewReader & DraftReviewWriter {
  const select = `SELECT profile_id AS profileId, account, cid, proposal_id AS proposalId,
    returned_at_ms AS atMs, returned_reason AS reason FROM draft_review`;
  const ofScope = 'WHERE profile_id = :profileId AND account = :account';
  const all = db.prepare<[DraftScope], DraftReviewRow>(`${select} ${ofScope}`);
  const of = db.prepare<[DraftScope & { cid: number }], DraftReviewRow>(
    `${select} ${ofScope} AND cid = :cid`,
  );
  const proposalIds = db
    .prepare<[], string>('SELECT DISTINCT proposal_id FROM draft_review WHERE returned_at_ms IS NULL')
    .pluck();
  const ofProposal = db.prepare<[string], DraftReviewRow>(`${select} WHERE proposal_id = ?`);
  const put = db.prepare<[DraftReviewRow]>(
    `INSERT INTO draft_review (profile_id, account, cid, proposal_id, returned_at_ms, returned_reason)
     VALUES (:profileId, :account, :cid, :proposalId, :atMs, :reason)
     ON CONFLICT (profile_id, account, cid) DO UPDATE SET proposal_id = excluded.proposal_id,
       returned_at_ms = excluded.returned_at_ms,
       returned_reason = excluded.returned_reason`,
  );
  const remove = db.prepare<[DraftScope & { cid: number }]>(
    `DELETE FROM draft_review ${ofScope} AND cid = :cid`,
  );
  return {
    all: (scope) => all.all(scope).map(fromRow),
    of(scope, cid) {
      const row = of.get({ ...scope, cid });
      return row === undefined ? null : fromRow(row);
    },
    proposalIds: () => proposalIds.all(),
    ofProposal: (proposalId) => ofProposal.all(proposalId).map(fromRow),
    put({ profileId, account }, { returned, ...review }) {
      const { atMs, reason } = returned ?? { atMs: null, reason: null };
      put.run({ profileId, account, ...review, atMs, reason });
    },
    remove: ({ profileId, account }, cid) => void remove.run({ profileId, account, cid }),
  };
}

function fromRow({ atMs, reason, ...review }: DraftReviewRow): DraftScope & DraftReview {
  return { ...review, returned: atMs === null || reason === null ? null : { atMs, reason } };
}
