import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import { type AppHandlers, type CheckedResult, lessonIds, type TrainingHome } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import { missionIds, progressOf, recommendedMissions } from '#shared/training/index.ts';
import {
  attemptsThatFit,
  readResult,
  signedText,
  type TrainingResult,
  writeResult,
} from '#shared/training/result/index.ts';
import {
  type Ed25519PublicKey,
  publicKeyOf,
  readPublicKey,
  signBytes,
  verifiesSignature,
} from '#system/ed25519.ts';
import { figureOf } from './lesson-figure.ts';
import type { Workspaces } from './workspaces.ts';

type HomeRequest =
  | 'training.home'
  | 'training.setName'
  | 'training.figure'
  | 'training.lessonDone'
  | 'training.attempt'
  | 'training.resultFile'
  | 'training.checkResults';

export interface Home {
  read(): TrainingHome;
  handlers: Pick<AppHandlers, HomeRequest>;
}

export interface HomeOptions {
  store: TrainingStore;
  key(): KeyObject;
  workspaces: Pick<Workspaces, 'stored'>;
  isOpen(): boolean;
  clock: Clock;
  formats(): Formats;
}

/** Returns the current trainee's name. Fails with `trainee_missing` if no name is chosen. */
export function traineeIn({ trainees }: Pick<TrainingStore, 'trainees'>): string {
  const name = trainees.current();
  if (name === null) throw new AppError('trainee_missing');
  return name;
}

export function createHome({ store, key, workspaces, isOpen, clock, formats }: HomeOptions): Home {
  const trainee = (): string => traineeIn(store);

  function read(): TrainingHome {
    const name = store.trainees.current();
    const attempts = name === null ? [] : store.attempts.of(name);
    const done = new Map(
      name === null ? [] : store.lessons.of(name).map(({ id, doneAtMs }) => [id, doneAtMs] as const),
    );
    const recommended = new Set(recommendedMissions(attempts));
    const left = isOpen() ? null : workspaces.stored();
    return {
      names: store.trainees.names(),
      name,
      missions: missionIds.map((id) => {
        const played = attempts.filter(({ mission }) => mission === id);
        const points = played.flatMap(({ score, incomplete }) =>
          incomplete === undefined ? [score.points] : [],
        );
        return {
          id,
          attempts: played.length,
          best: points.length === 0 ? null : Math.max(...points),
          isRecommended: recommended.has(id),
        };
      }),
      lessons: lessonIds.map((id) => ({ id, doneAtMs: done.get(id) ?? null })),
      progress: progressOf(attempts),
      attempts,
      left: left && { kind: left.kind, mission: left.mission, atMs: left.atMs },
      keyFingerprint: fingerprintOf(publicKeyOf(key())),
    };
  }

  return {
    read,
    handlers: {
      'training.home': async () => read(),
      async 'training.setName'({ name }) {
        store.trainees.choose(name);
        return read();
      },
      'training.figure': async ({ caseName }) => ({ proposal: figureOf(caseName, formats()) }),
      async 'training.lessonDone'({ lesson }) {
        store.lessons.add(trainee(), lesson, clock.nowMs());
        return read();
      },
      async 'training.attempt'({ id }) {
        const found = store.attempts.find(id);
        if (found === null) throw new AppError('attempt_not_found');
        return found;
      },
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
          attempts: attemptsThatFit(store.attempts.of(name)),
        } as const;
        const signature = signBytes(Buffer.from(signedText(result)), signer);
        return { fileName: fileNameOf(name, savedAtMs), text: writeResult(result, signature) };
      },
      'training.checkResults': async ({ files }) => ({
        results: files.map(({ fileName, text }) => ({ fileName, result: checked(text) })),
      }),
    },
  };
}

export function createResultKey({ settings }: Pick<TrainingStore, 'settings'>): () => KeyObject {
  return () => {
    const stored = readKey(settings.get(keySetting));
    if (stored !== null) return stored;
    const made = generateKeyPairSync('ed25519').privateKey;
    settings.set(keySetting, made.export({ format: 'der', type: 'pkcs8' }).toString('base64url'));
    return made;
  };
}

/** Returns null for an edited key, whose signatures would prove nothing. */
function readKey(text: string | null): KeyObject | null {
  if (text === null) return null;
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** Setting with the signing key: PKCS #8 in base64url, not sealed, in a file that only its owner can read (docs/decisions/0049). */
const keySetting = 'result-key';

function checked(text: string): CheckedResult['result'] {
  const check = checkResult(text);
  if (check.kind === 'refused') return check;
  const { name, savedAtMs, attempts } = check.result;
  const { keyFingerprint } = check;
  return { kind: 'intact', name, keyFingerprint, savedAtMs, attempts, progress: progressOf(attempts) };
}

/** Limits a part, so that a file name stays within 255 bytes in any script. */
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
  /** `reason` is one sentence and safe to show. */
  | { kind: 'refused'; reason: string };

/** Checks form and signature of a result file. The caller has to compare the key with a fingerprint from another source. */
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

/** Half of a SHA-256, which is enough because nobody can find another key with this fingerprint. */
const fingerprintDigits = 32;

function fingerprintOf({ raw }: Pick<Ed25519PublicKey, 'raw'>): string {
  const digits = createHash('sha256').update(raw).digest('hex').slice(0, fingerprintDigits);
  return digits.match(/.{4}/g)?.join(' ') ?? '';
}
