import type { Database } from '../../sqlite/index.ts';
import type { Picture, PictureRows } from './types.ts';

/** Keeps published pictures in the service's database. */
export function createPictureRows(db: Database): PictureRows {
  const add = db.prepare<[string, string, number, number, Uint8Array]>(`
    INSERT INTO picture (sha256, content_type, width, height, bytes) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO NOTHING`);
  const own = db.prepare<[number, string]>(`
    INSERT INTO picture_owner (uid, picture_id) SELECT ?, id FROM picture WHERE sha256 = ?
    ON CONFLICT DO NOTHING`);
  const find = db.prepare<[number, string], Picture>(`
    SELECT id, sha256, content_type AS contentType, width, height, length(bytes) AS bytes
    FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ? AND sha256 = ?`);
  const content = db.prepare<[string], { contentType: string; content: Uint8Array }>(
    'SELECT content_type AS contentType, bytes AS content FROM picture WHERE sha256 = ?',
  );
  const usage = db.prepare<[number], { pictures: number; bytes: number }>(`
    SELECT count(*) AS pictures, CAST(total(length(bytes)) AS INTEGER) AS bytes
    FROM picture JOIN picture_owner ON picture_id = id WHERE uid = ?`);
  return {
    add(uid, { sha256, contentType, width, height, content: bytes }) {
      add.run(sha256, contentType, width, height, bytes);
      own.run(uid, sha256);
    },
    find: (uid, sha256) => find.get(uid, sha256) ?? null,
    content: (sha256) => content.get(sha256) ?? null,
    usage: (uid) => usage.get(uid) ?? { pictures: 0, bytes: 0 },
  };
}
