import { z } from 'zod';
import type { Database } from '../../sqlite/index.ts';

/** A write of which Countersign's copy of the service said something else than the service itself. */
export interface RehearsalDisagreement {
  cid: number;
  atMs: number;
  /** The word of the copy; the service did the opposite. */
  rehearsed: 'accepted' | 'refused';
  /** The fields that were changed. */
  fields: string[];
  /** The refusal of the service, in words; empty where the copy refused. */
  reason: string;
}

export interface DisagreementRows {
  /** Adds one; of each profile the newest hundred stay. */
  add(profileId: string, disagreement: RehearsalDisagreement): void;
  /** Newest first. */
  of(profileId: string): RehearsalDisagreement[];
}

const maxOfProfile = 100;

type Row = Omit<RehearsalDisagreement, 'fields'> & { fields: string };

const fieldsSchema = z.array(z.string());

/** Rehearsals that were wrong. */
export function createDisagreementRows(db: Database): DisagreementRows {
  const add = db.prepare<[Row & { profileId: string }]>(
    `INSERT INTO rehearsal_disagreement (profile_id, cid, at_ms, rehearsed, fields, reason)
     VALUES (:profileId, :cid, :atMs, :rehearsed, :fields, :reason)`,
  );
  const prune = db.prepare<[{ profileId: string; max: number }]>(
    `DELETE FROM rehearsal_disagreement WHERE profile_id = :profileId AND id <=
       (SELECT id FROM rehearsal_disagreement WHERE profile_id = :profileId ORDER BY id DESC LIMIT 1 OFFSET :max)`,
  );
  const of = db.prepare<[string], Row>(
    `SELECT cid, at_ms AS atMs, rehearsed, fields, reason
     FROM rehearsal_disagreement WHERE profile_id = ? ORDER BY id DESC`,
  );
  return {
    add(profileId, { fields, ...disagreement }) {
      add.run({ ...disagreement, profileId, fields: JSON.stringify(fields) });
      prune.run({ profileId, max: maxOfProfile });
    },
    of: (profileId) =>
      of
        .all(profileId)
        .map(({ fields, ...row }) => ({ ...row, fields: fieldsSchema.parse(JSON.parse(fields)) })),
  };
}
