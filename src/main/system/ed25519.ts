import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const rawLength = 32;

export interface Ed25519PublicKey {
  raw: Buffer;
  text: string;
  key: KeyObject;
}

/** Reads an Ed25519 public key from base64url. Returns null unless the text is the key's canonical spelling. */
export function readPublicKey(text: string): Ed25519PublicKey | null {
  const raw = Buffer.from(text, 'base64url');
  if (raw.length !== rawLength || raw.toString('base64url') !== text) return null;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' });
  return { raw, text, key };
}

export function publicKeyOf(privateKey: KeyObject): Ed25519PublicKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  const key = x === undefined ? null : readPublicKey(x);
  if (key === null) throw new Error('Not an Ed25519 key');
  return key;
}

export function signBytes(bytes: Uint8Array, privateKey: KeyObject): string {
  return sign(null, bytes, privateKey).toString('base64url');
}

/** True if the canonically spelled signature is this key's signature over the bytes. */
export function verifiesSignature(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  const given = Buffer.from(signature, 'base64url');
  return given.toString('base64url') === signature && verify(null, bytes, key, given);
}

/** Like {@link verifiesSignature}, but runs on a Node thread, so that many calls use all processors. */
export async function verifiesSignatureLater(
  bytes: Uint8Array,
  signature: string,
  key: KeyObject,
): Promise<boolean> {
  const given = Buffer.from(signature, 'base64url');
  if (given.toString('base64url') !== signature) return false;
  return new Promise((resolve, reject) => {
    verify(null, bytes, key, given, (failure, isValid) => {
      if (failure === null) resolve(isValid);
      else reject(failure);
    });
  });
}
