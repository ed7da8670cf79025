import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { publicKeyOf, verifiesSignature, signBytes } from '#system/ed25519.ts';
import {
  readAttempt,
  type SignedAttempt,
  type StoredAttempt,
  type TrainingStore,
} from '#core/store/training/index.ts';
import type { AttemptView } from '#shared/app-api/index.ts';

/** The key that signs attempts and result files of this computer; made at first use. */
export function createResultKey({ settings }: Pick<TrainingStore, 'settings'>): () => KeyObject {
  return () => {
    const stored = readKey(settings.get(keySetting));
    if (stored !== null) return stored;
    const made = generateKeyPairSync('ed25519').privateKey;
    settings.set(keySetting, made.export({ format: 'der', type: 'pkcs8' }).toString('base64url'));
    return made;
  };
}

/** Null without one, and for one that was edited: what it has signed counts for nothing then. */
function readKey(text: string | null): KeyObject | null {
  if (text === null) return null;
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** The private key, PKCS #8, base64url: unsealed, in a file that only its owner reads (docs/decisions/0049). */
const keySetting = 'result-key';

/** Attempts, each signed when it is stored. One whose signature does not hold was edited since, and counts for nothing. */
export interface Attempts {
  add(stored: StoredAttempt): void;
  /** Null for an unknown or an edited one. */
  find(id: string): StoredAttempt | null;
  /** Returns the attempts of a name, newest first, and the number of edited ones. One that this version cannot read is left out. */
  of(name: string): { attempts: AttemptView[]; edited: number };
}

export function createAttempts(
  { attempts: rows }: Pick<TrainingStore, 'attempts'>,
  key: () => KeyObject,
): Attempts {
  return {
    add({ attempt, items }) {
      const { id, name, endedAtMs } = attempt;
      const texts = { id, name, endedAtMs, attempt: JSON.stringify(attempt), items: JSON.stringify(items) };
      rows.add({ ...texts, signature: signBytes(signedBytes(texts), key()) });
    },
    find(id) {
      const row = rows.find(id);
      return row !== null && isSigned(row, key()) ? readAttempt(row) : null;
    },
    of(name) {
      const signer = key();
      const all = rows.of(name);
      const signed = all.filter((row) => isSigned(row, signer));
      return {
        attempts: signed.flatMap((row) => readAttempt(row)?.attempt ?? []),
        edited: all.length - signed.length,
      };
    },
  };
}

/** Keeps a signature over an attempt from ever being one over anything else. */
const domain = 'countersign training attempt v1';

/** All columns of the row: an attempt of another name or time is another attempt. */
function signedBytes({ id, name, endedAtMs, attempt, items }: Omit<SignedAttempt, 'signature'>): Buffer {
  return Buffer.from(`${domain}\n${JSON.stringify([id, name, endedAtMs, attempt, items])}`);
}

function isSigned({ signature, ...row }: SignedAttempt, key: KeyObject): boolean {
  return verifiesSignature(signedBytes(row), signature, publicKeyOf(key).key);
}
