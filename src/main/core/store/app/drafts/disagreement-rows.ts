import { z } from 'zod';
import type { Database } from '../../sqlite/index.ts';

/** A write that the service treated in another way than Countersign's copy of it. */
export type ServiceDisagreed =
  /** It refused what the copy accepted, in these words. */
  | { service: 'refused'; reason: string }
  /** It accepted what the copy refused. */
  | { service: 'accepted' }
  /** Both accepted, and it stored these fields in another way. */
  | { service: 'stored_otherwise' };

/** A write of which Countersign's copy of the service said something else than the service itself. */
export type RehearsalDisagreement = ServiceDisagreed & {
  cid: number;
  atMs: number;
  /** The fields that were changed, or that were stored otherwise. */
  fields: string[];
};

export interface DisagreementRows {
  /** Adds one; of each profile the newest hundred stay. */
  add(profileId: string, disagreement: RehearsalDisagreement): void;
  /** Newest first. */
  of(profileId: string): RehearsalDisagreement[];
}

const maxOfProfile = 100;

/** The word of the copy, and the refusal of the service, empty where it did not refuse. */
interface Row {
  cid: number;
  atMs: number;
  rehearsed: 'accepted' | 'refused';
  fields: string;
  reason: string;
}

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
    add(profileId, disagreement) {
      const { cid, atMs, fields, service } = disagreement;
      const rehearsed = service === 'accepted' ? 'refused' : 'accepted';
      const reason = service === 'refused' ? disagreement.reason : '';
      add.run({ cid, atMs, rehearsed, reason, profileId, fields: JSON.stringify(fields) });
      prune.run({ profileId, max: maxOfProfile });
    },
    of: (profileId) => of.all(profileId).map(fromRow),
  };
}

function fromRow({ cid, atMs, rehearsed, fields: text, reason }: Row): RehearsalDisagreement {
  const fields = fieldsSchema.parse(JSON.parse(text));
  if (rehearsed === 'refused') return { cid, atMs, fields, service: 'accepted' };
  if (reason === '') return { cid, atMs, fields, service: 'stored_otherwise' };
  return { cid, atMs, fields, service: 'refused', reason };
}
