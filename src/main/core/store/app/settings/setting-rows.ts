import type { Database } from '../../sqlite/index.ts';

export interface SettingReader {
  /** The value, or null where it was never set. */
  get(key: string): string | null;
}

export interface SettingWriter {
  set(key: string, value: string): void;
}

/** The program's own settings that outlive a start: ports chosen once, the last profile. */
export function createSettingRows(db: Database): SettingReader & SettingWriter {
  const select = db.prepare<[string], string>('SELECT value FROM setting WHERE key = ?').pluck();
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    get: (key) => select.get(key) ?? null,
    set: (key, value) => void upsert.run(key, value),
  };
}
