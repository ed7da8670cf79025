import type { Database } from '../../sqlite/index.ts';
import {
  createDraftReviewRows,
  type DraftReviewReader,
  type DraftReviewWriter,
} from './draft-review-rows.ts';
import { createDraftRows, type DraftReader, type DraftWriter } from './draft-rows.ts';
import { createDraftStepRows, type DraftStepReader, type DraftStepWriter } from './draft-step-rows.ts';

export type { DraftReview } from './draft-review-rows.ts';
export type { DraftChange, DraftedField, DraftScope } from './draft-rows.ts';

/** Everything that is stored of drafts. */
export interface DraftTables {
  fields: DraftReader & DraftWriter;
  steps: DraftStepReader & DraftStepWriter;
  reviews: DraftReviewReader & DraftReviewWriter;
  /** Gives the drafts that were made before the profile's account was known to this account. */
  adopt(profileId: string, account: string): void;
  /** Removes all drafts of a profile, of every account. */
  forget(profileId: string): void;
}

/** The tables with an account. Drafts are moved last: if that is interrupted, the next time moves the rest. */
const accountTables = ['draft_step', 'draft_review', 'draft'] as const;

export function createDraftTables(db: Database): DraftTables {
  const isUnbound = db
    .prepare<[string], number>("SELECT EXISTS (SELECT 1 FROM draft WHERE profile_id = ? AND account = '')")
    .pluck();
  const adopt = accountTables.map((table) =>
    db.prepare<[string, string]>(
      `UPDATE OR REPLACE ${table} SET account = ? WHERE profile_id = ? AND account = ''`,
    ),
  );
  const forget = accountTables.map((table) =>
    db.prepare<[string]>(`DELETE FROM ${table} WHERE profile_id = ?`),
  );
  return {
    fields: createDraftRows(db),
    steps: createDraftStepRows(db),
    reviews: createDraftReviewRows(db),
    adopt(profileId, account) {
      if (isUnbound.get(profileId) === 1) adopt.forEach((statement) => statement.run(account, profileId));
    },
    forget: (profileId) => forget.forEach((statement) => statement.run(profileId)),
  };
}
