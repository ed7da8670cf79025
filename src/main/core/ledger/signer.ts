import { createPrivateKey, generateKeyPairSync, hash as digestOf, type KeyObject } from 'node:crypto';
import {
  type Ed25519PublicKey,
  publicKeyOf,
  readPublicKey as readKey,
  verifiesSignature as verifies,
  verifiesSignatureLater as verifiesLater,
  signBytes,
} from '#system/ed25519.ts';
import { AppError } from '#shared/errors/index.ts';
import type { LedgerRow } from '#core/store/app/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export interface PublicKey {
  keyId: string;
  text: string;
  key: KeyObject;
}

function withId({ raw, text, key }: Ed25519PublicKey): PublicKey {
  return { keyId: sha256(raw).slice(0, 16), text, key };
}

export function readPublicKey(text: string): PublicKey | null {
  const key = readKey(text);
  return key === null ? null : withId(key);
}

export function verifiesSignature(hash: string, signature: string, { key }: PublicKey): boolean {
  return verifies(Buffer.from(hash, 'hex'), signature, key);
}

export function verifiesSignatureLater(
  hash: string,
  signature: string,
  { key }: PublicKey,
): Promise<boolean> {
  return verifiesLater(Buffer.from(hash, 'hex'), signature, key);
}

/** `read` fails with `secret_unreadable` if the secret was stored with another data key. */
export interface KeyStore {
  read(place: { profile: string; name: string }): Buffer | null;
  write(place: { profile: string; name: string }, plain: Buffer): void;
}

export interface Signer {
  publicKey: PublicKey;
  /** Signs the bytes of a hexadecimal hash; returns base64url. */
  sign(hash: string): string;
}

/** Returns null if this session cannot open the key. */
export function loadSigner(keys: KeyStore, keyId: string): Signer | null {
  const stored = readStored(keys, keyId);
  return stored === null
    ? null
    : createSigner(createPrivateKey({ key: stored, format: 'der', type: 'pkcs8' }));
}

/** Joins the caller's transaction. */
export function introduceSigner(keys: KeyStore): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = createSigner(privateKey);
  keys.write(placeOf(signer.publicKey.keyId), privateKey.export({ format: 'der', type: 'pkcs8' }));
  return signer;
}

function createSigner(privateKey: KeyObject): Signer {
  return {
    publicKey: withId(publicKeyOf(privateKey)),
    sign: (hash) => signBytes(Buffer.from(hash, 'hex'), privateKey),
  };
}

function readStored(keys: KeyStore, keyId: string): Buffer | null {
  try {
    return keys.read(placeOf(keyId));
  } catch (failure) {
    // Some hosts keep the data key only for one session.
    if (failure instanceof AppError && failure.code === 'secret_unreadable') return null;
    throw failure;
  }
}

function placeOf(keyId: string): { profile: string; name: string } {
  return { profile: 'app', name: `ledger-key:${keyId}` };
}

interface HashedRow extends Pick<
  LedgerRow,
  'seq' | 'atMs' | 'kind' | 'proposalId' | 'actor' | 'via' | 'summary' | 'previousHash'
> {
  body: JsonObject;
}

export const noHash = '0'.repeat(64);

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** SHA-256 over the RFC 8785 form of the row, in hexadecimal. */
export function rowHash(row: HashedRow): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  return sha256(canonicalJson({ seq, atMs, kind, proposalId, actor, via, summary, body, previousHash }));
}

export function storedRowHash(row: Omit<HashedRow, 'body'> & { body: string }): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  // Canonical, because the names are sorted and SQLite returns neither lone surrogates nor infinite numbers.
  const text = JSON.stringify({ actor, atMs, body: 0, kind, previousHash, proposalId, seq, summary, via });
  // No other part of the text matches: inside a string, quotation marks would be escaped.
  return sha256(text.replace(',"body":0,', () => `,"body":${body},`));
}

export function sha256(content: string | Buffer): string {
  return digestOf('sha256', content);
}
