import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { sha256 } from './row-hash.ts';

/** A public key as it stands in the ledger: 32 raw bytes, base64url. */
export interface PublicKey {
  /** First 16 hexadecimal digits of the SHA-256 of the raw bytes. */
  keyId: string;
  text: string;
  key: KeyObject;
}

const rawLength = 32;

/** Reads a public key from its text. Null when the text is no Ed25519 key in its one spelling. */
export function readPublicKey(text: string): PublicKey | null {
  const raw = Buffer.from(text, 'base64url');
  if (raw.length !== rawLength || raw.toString('base64url') !== text) return null;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
  return { keyId: sha256(raw).slice(0, 16), text, key };
}

/** The public half of a private key. */
export function publicKeyOf(privateKey: KeyObject): PublicKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  const key = x === undefined ? null : readPublicKey(x);
  if (key === null) throw new Error('Not an Ed25519 key');
  return key;
}

/** Signs the bytes of a hexadecimal hash (Ed25519, RFC 8032). Returns base64url. */
export function signHash(hash: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64url');
}

/** True when the signature, in its one spelling, is this key's over the bytes of the hash. */
export function signatureHolds(hash: string, signature: string, { key }: PublicKey): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return false;
  return verify(null, Buffer.from(hash, 'hex'), key, bytes);
}
