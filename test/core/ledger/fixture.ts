import { createHash, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { onTestFinished } from 'vitest';
import { createLedger, type Ledger, type NewEntry } from '#core/ledger/index.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets, type Secrets } from '#core/profiles/index.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import { createLedgerReader } from '#core/store/app/ledger-rows.ts';
import { changeFile, type StoredFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface OpenLedger {
  store: AppStore;
  ledger: Ledger;
  secrets: Secrets;
  close(): Promise<void>;
}

/** Opens the ledger of this folder with this data key, as a start of the program does. */
export function openLedger(
  folder: string,
  dataKey: Buffer,
  onChange = () => {},
  clock: Clock = systemClock,
): OpenLedger {
  const store = openAppStore({ folder, clock, logger });
  const secrets = createSecrets({ store, sealer: createSealer(dataKey) });
  const ledger = createLedger({ store, keys: secrets, clock, logger, onChange });
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= ledger.dispose().then(() => store.dispose()));
  onTestFinished(close);
  return { store, secrets, ledger, close };
}

export const entry = (number: number): NewEntry => ({
  kind: 'proposal.approved',
  proposalId: `p${number % 3}`,
  actor: 'You',
  via: 'browser',
  summary: sentence`Approve change ${number} of “DE push – summer”`,
  body: { number, bid: 0.045, note: 'ä\u{1F4B6}' },
});

/** Appends entries, each in a transaction of its own. */
export function appendEntries({ store, ledger }: OpenLedger, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    store.transaction(() => ledger.append(entry(number)));
  }
}

/** Copies a data folder, as a user might to restore it later. */
export function copyOf(folder: string): string {
  const copy = tempFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

export const databaseIn = (folder: string) => join(folder, 'countersign.sqlite');
export const anchorIn = (folder: string) => join(folder, 'ledger.anchor.json');

/** An unpacked row as the table stores it. */
export interface RawRow {
  seq: number;
  at_ms: number;
  kind: string;
  proposal_id: string | null;
  actor: string;
  via: string | null;
  summary: string;
  body: string;
  previous_hash: string;
  hash: string;
  key_id: string;
  signature: string;
}

/** Changes the real file as an intruder would: removes the triggers that protect the rows, and restores them afterwards. */
export function tamper(folder: string, work: (db: StoredFile) => void): void {
  changeFile(databaseIn(folder), work);
}

/** Reads all rows, lets `change` edit them, and stores the result unpacked. */
export function rewriteRows(folder: string, change: (rows: RawRow[]) => RawRow[]): void {
  tamper(folder, (db) => {
    const rows = createLedgerReader(db)
      .after(0, 10_000)
      .map(({ atMs, proposalId, previousHash, keyId, ...row }) => {
        return { ...row, at_ms: atMs, proposal_id: proposalId, previous_hash: previousHash, key_id: keyId };
      });
    db.exec('DELETE FROM ledger');
    const insert = db.prepare(
      `INSERT INTO ledger VALUES (:seq, :at_ms, :kind, :proposal_id, :actor, :via, :summary, :body,
       :previous_hash, :hash, :key_id, :signature, NULL)`,
    );
    for (const row of change(rows)) insert.run(row);
  });
}

/** Converts the ledger to schema 14, in which no row is packed, and then runs this statement. */
export function unpackLedger(folder: string, statement: string): void {
  rewriteRows(folder, (rows) => rows);
  tamper(folder, (db) =>
    db.exec(`
      ALTER TABLE ledger DROP COLUMN packed;
      DROP INDEX ledger_by_proposal;
      CREATE INDEX ledger_by_proposal ON ledger (proposal_id) WHERE proposal_id IS NOT NULL;
      ${statement}`),
  );
}

/** A key that an intruder made. */
export interface ForeignKey {
  keyId: string;
  text: string;
  privateKey: KeyObject;
}

export function foreignKey(): ForeignKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = String(createPublicKey(privateKey).export({ format: 'jwk' }).x);
  const raw = Buffer.from(text, 'base64url');
  return { keyId: createHash('sha256').update(raw).digest('hex').slice(0, 16), text, privateKey };
}

/** SHA-256 over the RFC 8785 form. Written from docs/ledger-format.md and independent of our code. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(String(canonicalize(value)))
    .digest('hex');
}

function rowHashOf(row: RawRow): string {
  return hashOf({
    seq: row.seq,
    atMs: row.at_ms,
    kind: row.kind,
    proposalId: row.proposal_id,
    actor: row.actor,
    via: row.via,
    summary: row.summary,
    body: JSON.parse(row.body) as unknown,
    previousHash: row.previous_hash,
  });
}

/** Recomputes place, link and hash of every row from `first` on, and the signature if a key is given. */
export function rechain(rows: RawRow[], first: number, key: ForeignKey | null): RawRow[] {
  let previous = '0'.repeat(64);
  return rows.map((row, index) => {
    if (index + 1 >= first) {
      row = { ...row, seq: index + 1, previous_hash: previous };
      row.hash = rowHashOf(row);
      if (key) {
        row.key_id = key.keyId;
        row.signature = signed(row.hash, key);
      }
    }
    previous = row.hash;
    return row;
  });
}

/** Returns the row that would introduce a foreign key. `rechain` gives it its place. */
export function introductionOf(key: ForeignKey, previousKeyId: string, like: RawRow): RawRow {
  const body = canonicalize({ publicKey: key.text, previousKeyId, endorsed: false, follows: null });
  return { ...like, kind: 'key.introduced', body: String(body) };
}

/** Writes an anchor for the last of these rows, signed with the key. */
export function anchorTo(folder: string, rows: { count: number; head: string }, key: ForeignKey): void {
  const content = { ...rows, keyId: key.keyId };
  const hash = hashOf({ purpose: 'countersign ledger anchor', ...content });
  writeFileSync(anchorIn(folder), JSON.stringify({ ...content, signature: signed(hash, key) }));
}

export function readAnchor(folder: string): {
  count: number;
  head: string;
  keyId: string;
  signature: string;
} {
  return JSON.parse(readFileSync(anchorIn(folder), 'utf8')) as ReturnType<typeof readAnchor>;
}

function signed(hash: string, key: ForeignKey): string {
  return sign(null, Buffer.from(hash, 'hex'), key.privateKey).toString('base64url');
}
