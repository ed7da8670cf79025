import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';
import { publicKeyOf, signHash, type PublicKey } from './keys.ts';

/** Where the ledger keeps its private key; `read` fails with `secret_unreadable` when the data key is another. */
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
  return { publicKey: publicKeyOf(privateKey), sign: (hash) => signHash(hash, privateKey) };
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

/** One place for each key, so that a key that does not open today is not lost. */
function placeOf(keyId: string): { profile: string; name: string } {
  return { profile: 'app', name: `ledger-key:${keyId}` };
}
