import {
  type Database,
  columnsOf,
  readAll,
  readFirst,
  readValue,
  readValues,
  writes,
} from '../sqlite/database.ts';
import { changeCopy } from '../sqlite/files.ts';
import { createLedgerReader } from './ledger-rows.ts';
import type { LedgerRow } from './packed-row.ts';

export interface SettingReader {
  get(key: string): string | null;
}

export interface SettingWriter {
  set(key: string, value: string): void;
  remove(key: string): void;
}

export function createSettingRows(db: Database): SettingReader & SettingWriter {
  return {
    get: readValue<string>(db, 'SELECT value FROM setting WHERE key = ?'),
    set: writes(
      db,
      'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    ),
    remove: writes(db, 'DELETE FROM setting WHERE key = ?'),
  };
}

export interface SecretReader {
  get(profile: string, name: string): Buffer | null;
  names(profile: string): string[];
}

export interface SecretWriter {
  set(profile: string, name: string, sealed: Buffer): void;
  remove(profile: string, name: string): void;
}

export function createSecretRows(db: Database): SecretReader & SecretWriter {
  return {
    get: readValue<Buffer>(db, 'SELECT sealed FROM secret WHERE profile = ? AND name = ?'),
    names: readValues<string>(db, 'SELECT name FROM secret WHERE profile = ?'),
    set: writes(
      db,
      `INSERT INTO secret (profile, name, sealed) VALUES (?, ?, ?)
       ON CONFLICT (profile, name) DO UPDATE SET sealed = excluded.sealed`,
    ),
    remove: writes(db, 'DELETE FROM secret WHERE profile = ? AND name = ?'),
  };
}

export interface StoredProfile {
  id: string;
  name: string;
  account: string;
  zone: string;
  baseUrl: string;
  apiUrl: string;
  mcpUrl: string;
  remoteAccess: 'oauth' | 'direct-jwt';
  createdAtMs: number;
}

export interface ProfileReader {
  all(): StoredProfile[];
  find(id: string): StoredProfile | null;
  leaseOf(id: string): number | null;
}

export interface ProfileWriter {
  insert(profile: StoredProfile): void;
  update(profile: StoredProfile): void;
  remove(id: string): void;
  takeLease(id: string, nowMs: number): void;
  endLease(id: string): void;
}

const columns = columnsOf('id name account zone baseUrl apiUrl mcpUrl remoteAccess createdAtMs');
const select = `SELECT ${columns.selected} FROM profile`;

export function createProfileRows(db: Database): ProfileReader & ProfileWriter {
  const remove = writes(db, 'DELETE FROM profile WHERE id = ?');
  const endLease = writes(db, 'DELETE FROM refresh_lease WHERE profile = ?');
  return {
    all: readAll<StoredProfile>(db, `${select} ORDER BY name COLLATE NOCASE, id`),
    find: readFirst<StoredProfile>(db, `${select} WHERE id = ?`),
    leaseOf: readValue<number>(db, 'SELECT taken_at_ms FROM refresh_lease WHERE profile = ?'),
    insert: writes(db, `INSERT INTO profile ${columns.inserted}`),
    update: writes(db, `UPDATE profile SET ${columns.updated} WHERE id = :id`),
    remove(id) {
      remove(id);
      endLease(id);
    },
    takeLease: writes(db, 'INSERT INTO refresh_lease (profile, taken_at_ms) VALUES (?, ?)'),
    endLease,
  };
}

/**
 * Removes credentials, keys and all access of agents from a copy of the app's database. Returns the last row of its ledger, or
 * null if the ledger is empty.
 */
export function removeAppSecrets(file: string): Pick<LedgerRow, 'seq' | 'hash'> | null {
  return changeCopy(file, (db) => {
    db.exec(secretsGo);
    return createLedgerReader(db).last();
  });
}

export function writeCopiedSetting(file: string, key: string, value: string): void {
  changeCopy(file, (db) => createSettingRows(db).set(key, value));
}

const secretsGo = `
  DELETE FROM secret;
  DELETE FROM oauth_row;
  DELETE FROM refresh_lease;
  DELETE FROM prepared_change;
  UPDATE agent SET grant_id = NULL;`;
