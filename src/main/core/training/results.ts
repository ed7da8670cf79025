import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import {
  type Ed25519PublicKey,
  publicKeyOf,
  readPublicKey,
  signBytes,
  verifiesSignature,
} from '#system/ed25519.ts';
import type { AppHandlers, CheckedResult } from '#shared/app-api/index.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import { progressOf } from '#shared/training/index.ts';
import {
  attemptsThatFit,
  readResult,
  signedText,
  type TrainingResult,
  writeResult,
} from '#shared/training/result/index.ts';

export function createResultKey({ settings }: Pick<TrainingStore, 'settings'>): () => KeyObject {
  return () => {
    const stored = readKey(settings.get(keySetting));
    if (stored !== null) return stored;
    const made = generateKeyPairSync('ed25519').privateKey;
    settings.set(keySetting, made.export({ format: 'der', type: 'pkcs8' }).toString('base64url'));
    return made;
  };
}

/** Null for a key that was edited: its signatures count for nothing. */
function readKey(text: string | null): KeyObject | null {
  if (text === null) return null;
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** PKCS #8, base64url: unsealed, in a file that only its owner reads (docs/decisions/0049). */
const keySetting = 'result-key';

export interface Results {
  keyFingerprint(): string;
  handlers: Pick<AppHandlers, 'training.resultFile' | 'training.checkResults'>;
}

export interface ResultOptions {
  attempts: Pick<TrainingStore['attempts'], 'of'>;
  key(): KeyObject;
  trainee(): string;
  clock: Clock;
}

export function createResults({ attempts, key, trainee, clock }: ResultOptions): Results {
  return {
    keyFingerprint: () => fingerprintOf(publicKeyOf(key())),
    handlers: {
      async 'training.resultFile'() {
        const name = trainee();
        const signer = key();
        const savedAtMs = clock.nowMs();
        const result = {
          format: 'countersign-training-result',
          version: 1,
          name,
          savedAtMs,
          publicKey: publicKeyOf(signer).text,
          attempts: attemptsThatFit(attempts.of(name)),
        } as const;
        const signature = signBytes(Buffer.from(signedText(result)), signer);
        return { fileName: fileNameOf(name, savedAtMs), text: writeResult(result, signature) };
      },
      async 'training.checkResults'({ files }) {
        return { results: files.map(({ fileName, text }) => ({ fileName, result: checked(text) })) };
      },
    },
  };
}

function checked(text: string): CheckedResult['result'] {
  const check = checkResult(text);
  if (check.kind === 'refused') return check;
  const { name, savedAtMs, attempts } = check.result;
  const { keyFingerprint } = check;
  return { kind: 'intact', name, keyFingerprint, savedAtMs, attempts, progress: progressOf(attempts) };
}

/** Keeps a file name within 255 bytes in any script. */
const maxNamePart = 50;

function fileNameOf(name: string, atMs: number): string {
  const words = firstCodePoints(name, maxNamePart)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  const day = new Date(atMs).toISOString().slice(0, 10);
  return ['countersign-training', words, day].filter((part) => part !== '').join('-') + '.json';
}

export type ResultCheck =
  | { kind: 'intact'; result: TrainingResult; keyFingerprint: string }
  /** One sentence, safe to show. */
  | { kind: 'refused'; reason: string };

/** Checks form and signature of a result file. The caller compares the key with a fingerprint from elsewhere. */
export function checkResult(text: string): ResultCheck {
  const read = readResult(text);
  if (read.kind === 'refused') return read;
  const { result, signature } = read;
  const key = readPublicKey(result.publicKey);
  if (key === null) return { kind: 'refused', reason: 'The file names a key that is none.' };
  return verifiesSignature(Buffer.from(signedText(result)), signature, key.key)
    ? { kind: 'intact', result, keyFingerprint: fingerprintOf(key) }
    : { kind: 'refused', reason: 'The file was edited: its signature is not that of what it says.' };
}

/** Half of a SHA-256: too long for anyone to find another key for it. */
const fingerprintDigits = 32;

function fingerprintOf({ raw }: Pick<Ed25519PublicKey, 'raw'>): string {
  const digits = createHash('sha256').update(raw).digest('hex').slice(0, fingerprintDigits);
  return digits.match(/.{4}/g)?.join(' ') ?? '';
}
