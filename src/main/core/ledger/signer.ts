import { createPrivateKey, generateKeyPairSync, type KeyObject, createHash } from 'node:crypto';
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

/** A public key in the ledger's form: 32 raw bytes, base64url. */
export interface PublicKey {
  /** First 16 hexadecimal digits of the SHA-256 of the raw bytes. */
  keyId: string;
  text: string;
  key: KeyObject;
}

function withId({ raw, text, key }: Ed25519PublicKey): PublicKey {
  return { keyId: sha256(raw).slice(0, 16), text, key };
}

/** Reads a public key from its text. Null when the text is no Ed25519 key in its one spelling. */
export function readPublicKey(text: string): PublicKey | null {
  const key = readKey(text);
  return key === null ? null : withId(key);
}

/** True when the signature, in its one spelling, is this key's over the bytes of the hash. */
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

/** Store of the ledger's private key; `read` fails with `secret_unreadable` if the data key is another. */
export interface KeyStore {
  read(place: { profile: string; name: string }): Buffer | null;
  write(place: { profile: string; name: string }, plain: Buffer): void;
}

/** Signs for the ledger. The private key never leaves it. */
export interface Signer {
  publicKey: PublicKey;
  /** Base64url over the bytes of a hexadecimal hash. */
  sign(hash: string): string;
}

/** The signer whose key the ledger introduced last, or null when this session cannot open it. */
export function loadSigner(keys: KeyStore, keyId: string): Signer | null {
  const stored = readStored(keys, keyId);
  return stored === null
    ? null
    : createSigner(createPrivateKey({ key: stored, format: 'der', type: 'pkcs8' }));
}

/** Makes a key and stores it sealed, in the transaction it is called in. */
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
    // Another session's data key sealed it: the host's key lasts for the session only.
    if (failure instanceof AppError && failure.code === 'secret_unreadable') return null;
    throw failure;
  }
}

/** Name of a key in the store. Each has its own, so that a key that does not open today is not lost. */
function placeOf(keyId: string): { profile: string; name: string } {
  return { profile: 'app', name: `ledger-key:${keyId}` };
}

interface HashedRow extends Pick<
  LedgerRow,
  'seq' | 'atMs' | 'kind' | 'proposalId' | 'actor' | 'via' | 'summary' | 'previousHash'
> {
  body: JsonObject;
}

/** The hash before the first row, and the head of an empty ledger. */
export const noHash = '0'.repeat(64);

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** SHA-256 over the RFC 8785 form of the row's content: 64 hexadecimal digits. */
export function rowHash(row: HashedRow): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  return sha256(canonicalJson({ seq, atMs, kind, proposalId, actor, via, summary, body, previousHash }));
}

/** Like {@link rowHash}, for a row whose body is known to be in the canonical form: the body is not written again. */
export function storedRowHash(row: Omit<HashedRow, 'body'> & { body: string }): string {
  const { seq, atMs, kind, proposalId, actor, via, summary, body, previousHash } = row;
  const text = canonicalJson({ seq, atMs, kind, proposalId, actor, via, summary, body: 0, previousHash });
  // No other member has this text: in a string its quotation marks would be escaped.
  return sha256(text.replace(',"body":0,', () => `,"body":${body},`));
}

/** SHA-256 of text in UTF-8 or of bytes: 64 hexadecimal digits. */
export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
