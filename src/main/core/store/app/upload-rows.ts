import { z } from 'zod';
import { pictureKinds, pictureTypes } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  columnsOf,
  type Database,
  readAll,
  readFirst,
  readValue,
  readValues,
  writes,
} from '../sqlite/database.ts';

const uploadSchema = z.object({
  profileId: z.string(),
  account: z.string(),
  sha256: z.string(),
  /** Null if the latest proposal failed but the picture had been uploaded before. */
  proposalId: z.string().nullable(),
  kind: z.enum(pictureKinds),
  fileName: z.string(),
  contentType: z.enum(pictureTypes),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  /** The campaign for which the picture was chosen, only until it has a draft with the picture. */
  cid: z.int().nullable(),
  /** The service's image object (contract §2.4); null until the upload is done. */
  image: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : (JSON.parse(text) as JsonObject))),
  atMs: z.int(),
});

export type StoredUpload = z.infer<typeof uploadSchema>;

export type UploadKey = Pick<StoredUpload, 'profileId' | 'account' | 'sha256'>;

export interface UploadRows {
  put(upload: Omit<StoredUpload, 'bytes' | 'image'> & { content: Uint8Array }): void;
  done(key: UploadKey, image: JsonObject, atMs: number): void;
  drafted(key: UploadKey): void;
  /** Removes an upload that is not done; keeps a picture that was uploaded before. */
  end(key: UploadKey): void;
  find(key: UploadKey): StoredUpload | null;
  ofProposal(proposalId: string): StoredUpload | null;
  content(profileId: string, sha256: string): Uint8Array | null;
  ofProfile(profileId: string): StoredUpload[];
  waiting(): StoredUpload[];
  undrafted(profileId: string): StoredUpload[];
  use(key: UploadKey, cid: number): void;
  usedBy(key: UploadKey): number[];
  forget(profileId: string): void;
}

const always = 'profileId account sha256 proposalId kind fileName contentType width height cid atMs';
const select = `SELECT ${columnsOf(`${always} image`).selected}, octet_length(content) AS bytes FROM upload`;

const isKey = 'profile_id = :profileId AND account = :account AND sha256 = :sha256';

const uploadOf = (row: unknown): StoredUpload => uploadSchema.parse(row);

export function createUploadRows(db: Database): UploadRows {
  const done = writes(db, `UPDATE upload SET image = :image, at_ms = :atMs WHERE ${isKey}`);
  const remove = writes(db, `DELETE FROM upload WHERE image IS NULL AND ${isKey}`);
  const release = writes(db, `UPDATE upload SET proposal_id = NULL, cid = NULL WHERE ${isKey}`);
  const use = writes(
    db,
    `INSERT INTO upload_use (profile_id, account, sha256, cid) VALUES (:profileId, :account, :sha256, :cid)
     ON CONFLICT DO NOTHING`,
  );
  return {
    put: writes(
      db,
      `INSERT INTO upload ${columnsOf(`${always} content`).inserted}
       ON CONFLICT DO UPDATE SET proposal_id = excluded.proposal_id, cid = excluded.cid, at_ms = excluded.at_ms`,
    ),
    done: (key, image, atMs) => done({ ...key, image: JSON.stringify(image), atMs }),
    drafted: writes(db, `UPDATE upload SET cid = NULL WHERE ${isKey}`),
    undrafted: readAll(
      db,
      `${select} WHERE profile_id = ? AND image IS NOT NULL AND cid IS NOT NULL ORDER BY at_ms`,
      uploadOf,
    ),
    end(key) {
      remove(key);
      release(key);
    },
    find: readFirst(db, `${select} WHERE ${isKey}`, uploadOf),
    ofProposal: readFirst(db, `${select} WHERE proposal_id = ?`, uploadOf),
    content: readValue<Uint8Array>(db, 'SELECT content FROM upload WHERE profile_id = ? AND sha256 = ?'),
    ofProfile: readAll(db, `${select} WHERE profile_id = ? ORDER BY at_ms DESC, sha256`, uploadOf),
    waiting: readAll(db, `${select} WHERE image IS NULL`, uploadOf),
    use: (key, cid) => use({ ...key, cid }),
    usedBy: readValues<number>(db, `SELECT cid FROM upload_use WHERE ${isKey} ORDER BY cid`),
    forget: writes(db, 'DELETE FROM upload WHERE profile_id = ?'),
  };
}
