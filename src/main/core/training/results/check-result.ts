import { createHash } from 'node:crypto';
import { type Ed25519PublicKey, readPublicKey, verifiesSignature } from '#system/ed25519.ts';
import { readResult, signedText, type TrainingResult } from '#shared/training/result/index.ts';

/** A result file after its check. */
export type ResultCheck =
  | { kind: 'intact'; result: TrainingResult; keyFingerprint: string }
  /** One sentence; foreign text in it is inert. */
  | { kind: 'refused'; reason: string };

/**
 * Checks that a result file is as it was saved: its form, and its signature by the key that it names. Whose key that is, the caller
 * compares with a fingerprint from elsewhere; who sat at the computer, no file can say.
 */
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

/** Half of a SHA-256, which nobody can find another key for. */
const fingerprintDigits = 32;

/** The fingerprint of a key as people note and compare it: eight groups of four hexadecimal digits. */
export function fingerprintOf({ raw }: Pick<Ed25519PublicKey, 'raw'>): string {
  const digits = createHash('sha256').update(raw).digest('hex').slice(0, fingerprintDigits);
  return digits.match(/.{4}/g)?.join(' ') ?? '';
}
