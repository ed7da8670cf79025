import { type Database, readColumn, columnsOf, writes } from '../sqlite/database.ts';
import { changeCopy } from '../sqlite/files.ts';

/** The account of a profile: campaigns of another account of the same profile are other campaigns. */
export interface AccountScope {
  profileId: string;
  account: string;
}

export interface SettingReader {
  get(key: string): string | null;
}

export interface SettingWriter {
  set(key: string, value: string): void;
  remove(key: string): void;
}

export function createSettingRows(db: Database): SettingReader & SettingWriter {
  const select = readColumn<[string], string>(db, 'SELECT value FROM setting WHERE key = ?');
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare<[string]>('DELETE FROM setting WHERE key = ?');
  return {
    get: (key) => select.get(key) ?? null,
    set: (key, value) => void upsert.run(key, value),
    remove: (key) => void remove.run(key),
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

/** Sealed secrets. What is stored here is useless without the data key, which is never stored here. */
export function createSecretRows(db: Database): SecretReader & SecretWriter {
  const select = readColumn<[string, string], Buffer>(
    db,
    'SELECT sealed FROM secret WHERE profile = ? AND name = ?',
  );
  const names = readColumn<[string], string>(db, 'SELECT name FROM secret WHERE profile = ?');
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

/** A live profile as it is stored; Demo has no row. */
export interface StoredProfile {
  id: string;
  name: string;
  /** Id of the advertiser owner; empty until the service has named it. */
  account: string;
  /** IANA name of the service-day zone. */
  zone: string;
  baseUrl: string;
  apiUrl: string;
  mcpUrl: string;
  remoteAccess: 'oauth' | 'direct-jwt';
  createdAtMs: number;
}

export interface ProfileReader {
  /** By name. */
  all(): StoredProfile[];
  find(id: string): StoredProfile | null;
  /** When a refresh of this profile's access began that has not ended, or null. */
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
  const all = db.prepare<[], StoredProfile>(`${select} ORDER BY name COLLATE NOCASE, id`);
  const find = db.prepare<[string], StoredProfile>(`${select} WHERE id = ?`);
  const remove = db.prepare<[string]>('DELETE FROM profile WHERE id = ?');
  const lease = readColumn<[string], number>(db, 'SELECT taken_at_ms FROM refresh_lease WHERE profile = ?');
  const endLease = db.prepare<[string]>('DELETE FROM refresh_lease WHERE profile = ?');
  return {
    all: () => all.all(),
    find: (id) => find.get(id) ?? null,
    leaseOf: (id) => lease.get(id) ?? null,
    insert: writes(db, `INSERT INTO profile ${columns.inserted}`),
    update: writes(db, `UPDATE profile SET ${columns.updated} WHERE id = :id`),
    remove(id) {
      remove.run(id);
      endLease.run(id);
    },
    takeLease: writes(db, 'INSERT INTO refresh_lease (profile, taken_at_ms) VALUES (?, ?)'),
    endLease: (id) => void endLease.run(id),
  };
}

interface CopiedLedger {
  seq: number;
  hash: string;
}

/**
 * Removes every secret from a copy of the app's database: sealed credentials and keys, and everything of the gateway's authorization
 * server, so that no agent has access by it. Returns the end of its ledger, or null if that is empty. Fails as the disk does.
 */
export function removeAppSecrets(file: string): CopiedLedger | null {
  return changeCopy(file, (db) => {
    db.exec(secretsGo);
    return ledgerEnd(db);
  });
}

/** Stores a setting in a copy of the app's database. Fails as the disk does. */
export function writeCopiedSetting(file: string, key: string, value: string): void {
  changeCopy(file, (db) => {
    db.prepare('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)').run(key, value);
  });
}

const secretsGo = `
  DELETE FROM secret;
  DELETE FROM oauth_row;
  DELETE FROM refresh_lease;
  DELETE FROM prepared_change;
  UPDATE agent SET grant_id = NULL;`;

function ledgerEnd(db: Database): CopiedLedger | null {
  const last = db.prepare<[], CopiedLedger>('SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1');
  return last.get() ?? null;
}
