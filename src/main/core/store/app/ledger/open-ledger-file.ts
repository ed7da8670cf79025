import { existsSync } from 'node:fs';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { AppError } from '#shared/errors/index.ts';
import { connectReadOnly, withStorageErrors, type Database } from '../../sqlite/index.ts';
import { createLedgerReader, type LedgerReader } from './ledger-reader.ts';

/**
 * Opens the ledger of an app database file that this process does not own, read-only and as it stands at this moment.
 * Fails with `not_found` where there is no file or it has no ledger, `database_corrupt` or `storage_failed`.
 */
export function openLedgerFile(file: string): AsyncDisposable & { reader: LedgerReader } {
  if (!existsSync(file)) throw new AppError('not_found', { message: 'There is no such file.' });
  const db = openReadOnly(file);
  try {
    withStorageErrors(() => takeSoundSnapshot(db));
    return { reader: readerOf(db), dispose: async () => void db.close() };
  } catch (failure) {
    db.close();
    throw failure;
  }
}

function openReadOnly(file: string): Database {
  try {
    return connectReadOnly(file);
  } catch (cause) {
    const message =
      'The file cannot be opened. Copy it and its anchor to a folder of your own and try there.';
    throw new AppError('storage_failed', { message, cause });
  }
}

/** Everything is read from one moment, also while the owner goes on writing. */
function takeSoundSnapshot(db: Database): void {
  db.exec('BEGIN');
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') {
    throw new AppError('database_corrupt', { message: 'The file is damaged.' });
  }
}

function readerOf(db: Database): LedgerReader {
  try {
    return createLedgerReader(db);
  } catch (cause) {
    throw new AppError('not_found', { message: 'The file has no ledger.', cause });
  }
}
