import { existsSync } from 'node:fs';
import { connectReadOnly, type Database } from './database.ts';
import { isCorruption, withStorageErrors } from './failures.ts';

/** What a look at a database file found, before anything is written to it. */
export type Inspection = { kind: 'absent' } | { kind: 'corrupt' } | { kind: 'sound'; schema: number };

/** Looks at the file read-only: is it there, is it sound, which schema has it. Fails with `storage_failed`. */
export function inspect(file: string): Inspection {
  if (!existsSync(file)) return { kind: 'absent' };
  return withStorageErrors(() => {
    try {
      return inspectExisting(file);
    } catch (failure) {
      if (isCorruption(failure)) return { kind: 'corrupt' };
      throw failure;
    }
  });
}

function inspectExisting(file: string): Inspection {
  const db = connectReadOnly(file);
  try {
    const schema = schemaNumber(db);
    return db.pragma('quick_check(1)', { simple: true }) === 'ok'
      ? { kind: 'sound', schema }
      : { kind: 'corrupt' };
  } finally {
    db.close();
  }
}

/** The number of the newest migration that the file has had; 0 for an empty file. */
export function schemaNumber(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
