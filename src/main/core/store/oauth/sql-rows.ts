import { AppError } from '#shared/errors/index.ts';
import { withStorageErrors } from '../sqlite/index.ts';
import type { Database } from '../sqlite/index.ts';
import type { OAuthRow, OAuthRows } from './rows.ts';

/** How many expired rows one pruning removes: it runs beside a request. */
const mostPruned = 500;

/** Makes the tables, inside a migration's step. */
export function createOAuthTables(db: Database): void {
  db.exec(`
    CREATE TABLE oauth_row (
      model TEXT NOT NULL,
      id_hash TEXT NOT NULL,
      payload TEXT NOT NULL,
      grant_id TEXT,
      expires_at_ms INTEGER,
      consumed_at_ms INTEGER,
      stored_order INTEGER NOT NULL,
      PRIMARY KEY (model, id_hash)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX oauth_row_by_grant ON oauth_row (grant_id) WHERE grant_id IS NOT NULL;
    CREATE INDEX oauth_row_by_expiry ON oauth_row (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
    CREATE INDEX oauth_row_by_order ON oauth_row (model, stored_order);
  `);
}

const nextOrder = '(SELECT coalesce(max(stored_order), 0) + 1 FROM oauth_row WHERE model = @model)';

/** Keeps the rows in a database that has the tables. Each change is on the disk when its call returns. */
export function createSqlRows(db: Database): OAuthRows {
  const upsert = db.prepare(`
    INSERT INTO oauth_row (model, id_hash, payload, grant_id, expires_at_ms, stored_order)
    VALUES (@model, @idHash, @payload, @grantId, @expiresAtMs, ${nextOrder})
    ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
      expires_at_ms = excluded.expires_at_ms, stored_order = excluded.stored_order
  `);
  const find = db.prepare<[string, string], OAuthRow>(`
    SELECT model, id_hash AS idHash, payload, grant_id AS grantId, expires_at_ms AS expiresAtMs,
      consumed_at_ms AS consumedAtMs
    FROM oauth_row WHERE model = ? AND id_hash = ?
  `);
  const consume = db.prepare(
    'UPDATE oauth_row SET consumed_at_ms = ? WHERE model = ? AND id_hash = ? AND consumed_at_ms IS NULL',
  );
  const renew = db.prepare(`
    UPDATE oauth_row SET expires_at_ms = @expiresAtMs, stored_order = ${nextOrder}
    WHERE model = @model AND id_hash = @idHash
  `);
  const remove = db.prepare('DELETE FROM oauth_row WHERE model = ? AND id_hash = ?');
  const removeByGrant = db.prepare('DELETE FROM oauth_row WHERE grant_id = ?');
  const count = db.prepare<[string], { rows: number }>(
    'SELECT count(*) AS rows FROM oauth_row WHERE model = ?',
  );
  const keepNewest = db.prepare(`
    DELETE FROM oauth_row WHERE model = @model AND id_hash IN (
      SELECT id_hash FROM (
        SELECT id_hash, consumed_at_ms, row_number() OVER (ORDER BY stored_order DESC) - 1 AS age
        FROM oauth_row WHERE model = @model)
      ORDER BY consumed_at_ms IS NULL AND age >= @most / 2.0, age LIMIT -1 OFFSET @most)
  `);
  const prune = db.prepare(`
    DELETE FROM oauth_row WHERE (model, id_hash) IN (
      SELECT model, id_hash FROM oauth_row WHERE expires_at_ms <= ? LIMIT ${mostPruned})
  `);
  const work = <T>(run: () => T): T => {
    // A closed connection is not an error of SQLite, so it would pass as a bug.
    if (!db.open) throw new AppError('storage_failed');
    return withStorageErrors(run);
  };
  return {
    upsert: (row) => void work(() => upsert.run(row)),
    find: (model, idHash) => work(() => find.get(model, idHash)) ?? null,
    consume: (model, idHash, atMs) => work(() => consume.run(atMs, model, idHash)).changes === 1,
    renew: (model, idHash, expiresAtMs) => void work(() => renew.run({ model, idHash, expiresAtMs })),
    remove: (model, idHash) => void work(() => remove.run(model, idHash)),
    removeByGrant: (grantId) => void work(() => removeByGrant.run(grantId)),
    count: (model) => work(() => count.get(model))?.rows ?? 0,
    keepNewest: (model, most) => void work(() => keepNewest.run({ model, most })),
    prune: (nowMs) => void work(() => prune.run(nowMs)),
  };
}
