import type { KeyObject } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import { publicKeyOf, signBytes } from '#system/ed25519.ts';
import type { AppHandlers, CheckedResult } from '#shared/app-api/index.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import { progressOf } from '#shared/training/index.ts';
import { attemptsThatFit, signedText, writeResult } from '#shared/training/result/index.ts';
import type { Attempts } from './attempts.ts';
import { checkResult, fingerprintOf } from './check-result.ts';

/** Result files: written and signed for the name that trains, and checked for a lead. */
export interface Results {
  /** Fingerprint of the key that signs result files of this computer. */
  keyFingerprint(): string;
  handlers: Pick<AppHandlers, 'training.resultFile' | 'training.checkResults'>;
}

export interface ResultOptions {
  attempts: Pick<Attempts, 'of'>;
  /** The key that signs. */
  key(): KeyObject;
  /** The name that trains now. Fails with `trainee_missing`. */
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
          attempts: attemptsThatFit(attempts.of(name).attempts),
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

/** So many characters of a name fit into a file's name of 255 bytes, whatever script they are of. */
const maxNamePart = 50;

/** A name for every file system: letters and digits of the trainee's name, and the day. */
function fileNameOf(name: string, atMs: number): string {
  const words = firstCodePoints(name, maxNamePart)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  const day = new Date(atMs).toISOString().slice(0, 10);
  return ['countersign-training', words, day].filter((part) => part !== '').join('-') + '.json';
}
