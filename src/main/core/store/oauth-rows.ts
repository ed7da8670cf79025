import { type Database, readFirst, readValue, writes } from './sqlite/database.ts';

export interface OAuthRow {
  /** oidc-provider's model name, for example `RefreshToken`. */
  model: string;
  /** SHA-256 in hexadecimal. The id itself is not stored, because it may be a token. */
  idHash: string;
  payload: string;
  grantId: string | null;
  expiresAtMs: number | null;
  consumedAtMs: number | null;
}

/** Storage of the authorization server. Fails with `storage_failed`. All implementations pass one set of tests. */
export interface OAuthRows {
  /** Keeps `consumedAtMs` of an existing row. */
  upsert(row: Omit<OAuthRow, 'consumedAtMs'>): void;
  find(model: string, idHash: string): OAuthRow | null;
  /** Returns false if the row was already consumed or does not exist. */
  consume(model: string, idHash: string, atMs: number): boolean;
  /** Makes the row the newest of its model. */
  renew(model: string, idHash: string, expiresAtMs: number | null): void;
  remove(model: string, idHash: string): void;
  /** Removes all rows of the grant except the grant itself. */
  removeByGrant(grantId: string): void;
  count(model: string): number;
  /** Keeps the newest `max` rows, but removes rows never consumed first in the older half, because anyone may create many. */
  keepNewest(model: string, max: number): void;
  prune(nowMs: number): void;
}

export function createMemoryRows(): OAuthRows {
  // A row that is stored again moves to the end of the map.
  const rows = new Map<string, OAuthRow>();
  const keyOf = (model: string, idHash: string) => `${model} ${idHash}`;
  const put = (row: OAuthRow): void => {
    const key = keyOf(row.model, row.idHash);
    rows.delete(key);
    rows.set(key, row);
  };
  const removeWhere = (isOut: (row: OAuthRow) => boolean): void => {
    for (const [key, row] of rows) if (isOut(row)) rows.delete(key);
  };
  const ofModel = (model: string) => [...rows.values()].filter((row) => row.model === model);
  return {
    upsert(row) {
      const consumedAtMs = rows.get(keyOf(row.model, row.idHash))?.consumedAtMs ?? null;
      put({ ...row, consumedAtMs });
    },
    find(model, idHash) {
      const row = rows.get(keyOf(model, idHash));
      return row === undefined ? null : { ...row };
    },
    consume(model, idHash, atMs) {
      const row = rows.get(keyOf(model, idHash));
      if (row === undefined || row.consumedAtMs !== null) return false;
      row.consumedAtMs = atMs;
      return true;
    },
    renew(model, idHash, expiresAtMs) {
      const row = rows.get(keyOf(model, idHash));
      if (row !== undefined) put({ ...row, expiresAtMs });
    },
    remove: (model, idHash) => void rows.delete(keyOf(model, idHash)),
    removeByGrant: (grantId) => removeWhere((row) => row.grantId === grantId),
    count: (model) => ofModel(model).length,
    keepNewest(model, max) {
      const newestFirst = ofModel(model).toReversed();
      const isSpare = ({ consumedAtMs }: OAuthRow, age: number): boolean =>
        consumedAtMs === null && age >= max / 2;
      const others = newestFirst.filter((row, age) => !isSpare(row, age));
      for (const row of [...others, ...newestFirst.filter(isSpare)].slice(max)) {
        rows.delete(keyOf(model, row.idHash));
      }
    },
    prune: (nowMs) => removeWhere(({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= nowMs),
  };
}

const maxPruned = 500;

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

export function createSqlRows(db: Database): OAuthRows {
  const consume = db.prepare(
    'UPDATE oauth_row SET consumed_at_ms = ? WHERE model = ? AND id_hash = ? AND consumed_at_ms IS NULL',
  );
  const renew = writes(
    db,
    `UPDATE oauth_row SET expires_at_ms = @expiresAtMs, stored_order = ${nextOrder}
     WHERE model = @model AND id_hash = @idHash`,
  );
  const count = readValue<number>(db, 'SELECT count(*) FROM oauth_row WHERE model = ?');
  const keepNewest = writes(
    db,
    `DELETE FROM oauth_row WHERE model = @model AND id_hash IN (
       SELECT id_hash FROM (
         SELECT id_hash, consumed_at_ms, row_number() OVER (ORDER BY stored_order DESC) - 1 AS age
         FROM oauth_row WHERE model = @model)
       ORDER BY consumed_at_ms IS NULL AND age >= @max / 2.0, age LIMIT -1 OFFSET @max)`,
  );
  return {
    upsert: writes(
      db,
      `INSERT INTO oauth_row (model, id_hash, payload, grant_id, expires_at_ms, stored_order)
       VALUES (@model, @idHash, @payload, @grantId, @expiresAtMs, ${nextOrder})
       ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
         expires_at_ms = excluded.expires_at_ms, stored_order = excluded.stored_order`,
    ),
    find: readFirst<OAuthRow>(
      db,
      `SELECT model, id_hash AS idHash, payload, grant_id AS grantId, expires_at_ms AS expiresAtMs,
         consumed_at_ms AS consumedAtMs
       FROM oauth_row WHERE model = ? AND id_hash = ?`,
    ),
    consume: (model, idHash, atMs) => consume.run(atMs, model, idHash).changes === 1,
    renew: (model, idHash, expiresAtMs) => renew({ model, idHash, expiresAtMs }),
    remove: writes(db, 'DELETE FROM oauth_row WHERE model = ? AND id_hash = ?'),
    removeByGrant: writes(db, 'DELETE FROM oauth_row WHERE grant_id = ?'),
    count: (model) => count(model) ?? 0,
    keepNewest: (model, max) => keepNewest({ model, max }),
    prune: writes(
      db,
      `DELETE FROM oauth_row WHERE (model, id_hash) IN (
         SELECT model, id_hash FROM oauth_row WHERE expires_at_ms <= ? LIMIT ${maxPruned})`,
    ),
  };
}
