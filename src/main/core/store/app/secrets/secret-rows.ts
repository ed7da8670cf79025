import type { Database } from '../../sqlite/index.ts';

export interface SecretReader {
  /** The sealed bytes, or null where there are none. */
  get(profile: string, name: string): Buffer | null;
}

export interface SecretWriter {
  set(profile: string, name: string, sealed: Buffer): void;
}

/** Sealed secrets. What is stored here is useless without the data key, which is never stored here. */
export function createSecretRows(db: Database): SecretReader & SecretWriter {
  const select = db
    .prepare<[string, string], Buffer>('SELECT sealed FROM secret WHERE profile = ? AND name = ?')
    .pluck();
  const upsert = db.prepare<[string, string, Buffer]>(
    `INSERT INTO secret (profile, name, sealed) VALUES (?, ?, ?)
     ON CONFLICT (profile, name) DO UPDATE SET sealed = excluded.sealed`,
  );
  return {
    get: (profile, name) => select.get(profile, name) ?? null,
    set: (profile, name, sealed) => void upsert.run(profile, name, sealed),
  };
}
