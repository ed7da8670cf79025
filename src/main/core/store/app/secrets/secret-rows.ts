import type { Database } from '../../sqlite/index.ts';

export interface SecretReader {
  /** The sealed bytes, or null where there are none. */
  get(profile: string, name: string): Buffer | null;
  /** The names of the profile's secrets. */
  names(profile: string): string[];
}

export interface SecretWriter {
  set(profile: string, name: string, sealed: Buffer): void;
  remove(profile: string, name: string): void;
}

/** Sealed secrets. What is stored here is useless without the data key, which is never stored here. */
export function createSecretRows(db: Database): SecretReader & SecretWriter {
  const select = db
    .prepare<[string, string], Buffer>('SELECT sealed FROM secret WHERE profile = ? AND name = ?')
    .pluck();
  const names = db.prepare<[string], string>('SELECT name FROM secret WHERE profile = ?').pluck();
  const upsert = db.prepare<[string, string, Buffer]>(
    `INSERT INTO secret (profile, name, sealed) VALUES (?, ?, ?)
     ON CONFLICT (profile, name) DO UPDATE SET sealed = excluded.sealed`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM secret WHERE profile = ? AND name = ?');
  return {
    get: (profile, name) => select.get(profile, name) ?? null,
    names: (profile) => names.all(profile),
    set: (profile, name, sealed) => void upsert.run(profile, name, sealed),
    remove: (profile, name) => void remove.run(profile, name),
  };
}
