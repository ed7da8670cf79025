import { z } from 'zod';
import { pictureKinds, pictureTypes, type PictureKind, type PictureType } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { columnsOf, type Database, readColumn, writes } from '../sqlite/database.ts';

export interface StoredUpload {
  profileId: string;
  account: string;
  /** Of its bytes, in hexadecimal. */
  sha256: string;
  kind: PictureKind;
  fileName: string;
  contentType: PictureType;
  width: number;
  height: number;
  bytes: number;
  /** The campaign for which it was chosen and that has no draft of it yet; else null. */
  cid: number | null;
  /** The latest proposal that uploads it; null if that came to nothing and the picture was uploaded before. */
  proposalId: string | null;
  /** The image object that the service returned (contract §2.4); null until the upload is done. */
  image: JsonObject | null;
  /** When it was chosen, then when it was uploaded. */
  atMs: number;
}

export type UploadKey = Pick<StoredUpload, 'profileId' | 'account' | 'sha256'>;

export interface UploadRows {
  /** Adds the upload of a proposal. A picture that was uploaded before keeps its name and image, and gets proposal and campaign. */
  put(upload: Omit<StoredUpload, 'bytes' | 'image'> & { content: Uint8Array }): void;
  done(key: UploadKey, image: JsonObject, atMs: number): void;
  drafted(key: UploadKey): void;
  /** Records that its proposal came to nothing: removes the upload; one that was done before stays, for no campaign. */
  end(key: UploadKey): void;
  find(key: UploadKey): StoredUpload | null;
  ofProposal(proposalId: string): StoredUpload | null;
  content(profileId: string, sha256: string): Uint8Array | null;
  /** The latest one first, done or not. */
  ofProfile(profileId: string): StoredUpload[];
  waiting(): StoredUpload[];
  /** Returns the uploads of a profile that are done, or were before, and whose campaign has no draft of them yet. */
  undrafted(profileId: string): StoredUpload[];
  use(key: UploadKey, cid: number): void;
  usedBy(key: UploadKey): number[];
  forget(profileId: string): void;
}

const always = 'profileId account sha256 proposalId kind fileName contentType width height cid atMs';
const select = `SELECT ${columnsOf(`${always} image`).selected}, octet_length(content) AS bytes FROM upload`;

const rowSchema = z.object({
  profileId: z.string(),
  account: z.string(),
  sha256: z.string(),
  proposalId: z.string().nullable(),
  kind: z.enum(pictureKinds),
  fileName: z.string(),
  contentType: z.enum(pictureTypes),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  cid: z.int().nullable(),
  image: z.string().nullable(),
  atMs: z.int(),
});

const isKey = 'profile_id = :profileId AND account = :account AND sha256 = :sha256';

export function createUploadRows(db: Database): UploadRows {
  const done = db.prepare(`UPDATE upload SET image = :image, at_ms = :atMs WHERE ${isKey}`);
  const drafted = db.prepare(`UPDATE upload SET cid = NULL WHERE ${isKey}`);
  const undrafted = db.prepare<[string]>(
    `${select} WHERE profile_id = ? AND image IS NOT NULL AND cid IS NOT NULL ORDER BY at_ms`,
  );
  const remove = db.prepare(`DELETE FROM upload WHERE image IS NULL AND ${isKey}`);
  const release = db.prepare(`UPDATE upload SET proposal_id = NULL, cid = NULL WHERE ${isKey}`);
  const find = db.prepare<[UploadKey]>(`${select} WHERE ${isKey}`);
  const ofProposal = db.prepare<[string]>(`${select} WHERE proposal_id = ?`);
  const content = readColumn<[string, string], Uint8Array>(
    db,
    'SELECT content FROM upload WHERE profile_id = ? AND sha256 = ?',
  );
  const ofProfile = db.prepare<[string]>(`${select} WHERE profile_id = ? ORDER BY at_ms DESC, sha256`);
  const waiting = db.prepare<[]>(`${select} WHERE image IS NULL`);
  const use = db.prepare(`
    INSERT INTO upload_use (profile_id, account, sha256, cid) VALUES (:profileId, :account, :sha256, :cid)
    ON CONFLICT DO NOTHING`);
  const usedBy = readColumn<[UploadKey], number>(
    db,
    `SELECT cid FROM upload_use WHERE ${isKey} ORDER BY cid`,
  );
  const keyOf = ({ profileId, account, sha256 }: UploadKey): UploadKey => ({ profileId, account, sha256 });
  return {
    put: writes(
      db,
      `
    INSERT INTO upload ${columnsOf(`${always} content`).inserted}
    ON CONFLICT DO UPDATE SET proposal_id = excluded.proposal_id, cid = excluded.cid, at_ms = excluded.at_ms`,
    ),
    done: (key, image, atMs) => void done.run({ ...keyOf(key), image: JSON.stringify(image), atMs }),
    drafted: (key) => void drafted.run(keyOf(key)),
    undrafted: (profileId) => undrafted.all(profileId).flatMap((row) => uploadOf(row) ?? []),
    end(key) {
      remove.run(keyOf(key));
      release.run(keyOf(key));
    },
    find: (key) => uploadOf(find.get(keyOf(key))),
    ofProposal: (proposalId) => uploadOf(ofProposal.get(proposalId)),
    content: (profileId, sha256) => content.get(profileId, sha256) ?? null,
    ofProfile: (profileId) => ofProfile.all(profileId).flatMap((row) => uploadOf(row) ?? []),
    waiting: () => waiting.all().flatMap((row) => uploadOf(row) ?? []),
    use: (key, cid) => void use.run({ ...keyOf(key), cid }),
    usedBy: (key) => usedBy.all(keyOf(key)),
    forget: writes(db, 'DELETE FROM upload WHERE profile_id = ?'),
  };
}

function uploadOf(row: unknown): StoredUpload | null {
  if (row === undefined) return null;
  const { image, ...upload } = rowSchema.parse(row);
  return { ...upload, image: image === null ? null : (JSON.parse(image) as JsonObject) };
}
