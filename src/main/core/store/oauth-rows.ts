import { AppError } from '#shared/errors/index.ts';
import { type Database, withStorageErrors } from './sqlite/database.ts';

/** One stored thing of the authorization server: a client, a code, a token, a grant, an interaction. */
export interface OAuthRow {
  /** The kind of thing, by oidc-provider's model name, for example `RefreshToken`. */
  model: string;
  /** SHA-256 of the id, hex: an id may be a token. */
  idHash: string;
  /** JSON without the id itself. */
  payload: string;
  grantId: string | null;
  expiresAtMs: number | null;
  consumedAtMs: number | null;
}

/** Storage of the authorization server. Synchronous; fails with `storage_failed`. Every adapter passes the same tests. */
export interface OAuthRows {
  /** Adds or replaces; `consumedAtMs` of an existing row stays. */
  upsert(row: Omit<OAuthRow, 'consumedAtMs'>): void;
  find(model: string, idHash: string): OAuthRow | null;
  /** Marks a row as consumed; false when it already was, or is not there. */
  consume(model: string, idHash: string, atMs: number): boolean;
  /** Makes a row the newest of its model, with another expiry; nothing happens when it is not there. */
  renew(model: string, idHash: string, expiresAtMs: number | null): void;
  remove(model: string, idHash: string): void;
  /** Removes whatever belongs to the grant, the grant's own row excepted. */
  removeByGrant(grantId: string): void;
  count(model: string): number;
  /**
   * Keeps the newest `max` rows. Beyond the newer half, rows never consumed go first: they may be stored in numbers by
   * anyone.
   */
  keepNewest(model: string, max: number): void;
  /** Removes what has expired by this time, a bounded number of rows at once. */
  prune(nowMs: number): void;
}

/** Keeps the rows in memory, for tests and for what need not outlive the process. */
export function createMemoryRows(): OAuthRows {
  // A map keeps the order of insertion: a row that is stored again moves to its end.
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

/** Maximum number of expired rows that one pruning removes: it runs beside a request. */
const maxPruned = 500;

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
      ORDER BY consumed_at_ms IS NULL AND age >= @max / 2.0, age LIMIT -1 OFFSET @max)
  `);
  const prune = db.prepare(`
    DELETE FROM oauth_row WHERE (model, id_hash) IN (
      SELECT model, id_hash FROM oauth_row WHERE expires_at_ms <= ? LIMIT ${maxPruned})
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
    keepNewest: (model, max) => void work(() => keepNewest.run({ model, max })),
    prune: (nowMs) => void work(() => prune.run(nowMs)),
  };
}
