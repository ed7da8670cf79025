import { z } from 'zod';
import { AppError, parseStrictJson } from '../../errors/index.ts';
import { canonicalJson } from '../../lib/json/canonical.ts';
import { lastMomentMs } from '../../lib/date-text.ts';
import { isJsonObject, jsonEqual, type JsonValue, memberPath } from '../../lib/json/json-value.ts';
import { type Attempt, attemptSchema, traineeNameSchema } from '../attempt.ts';

const maxCharacters = 2_000_000;

const maxAttempts = 2_000;

/** Left for everything but the attempts. */
const headCharacters = 2_000;

/** 32 and 64 bytes in base64url, each with one spelling only: no bits are left over. */
const keyText = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
const signatureText = z.string().regex(/^[\w-]{85}[AQgw]$/);

const format = 'countersign-training-result';
const version = 1;

const resultSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  name: traineeNameSchema,
  savedAtMs: z.int().min(0).max(lastMomentMs),
  /** The Ed25519 key that signed: its 32 bytes, base64url. */
  publicKey: keyText,
  attempts: z.array(attemptSchema).max(maxAttempts),
});

export type TrainingResult = z.infer<typeof resultSchema>;

const fileSchema = resultSchema.extend({ signature: signatureText });

/** A result file, read: its form is right, and whether its signature is true is for the caller to check. */
export type ReadResult =
  | { kind: 'read'; result: TrainingResult; /** 64 bytes, base64url. */ signature: string }
  | { kind: 'refused'; /** One sentence. */ reason: string };

/** Keeps a signature over a result from ever being one over anything else. */
const domain = 'countersign training result v1';

/** As many of the attempts, the newest first, as a file has room for: each reader refuses a larger one. */
export function attemptsThatFit(newestFirst: readonly Attempt[]): Attempt[] {
  // In bytes, by which a page measures a file: never fewer than the characters of its text.
  let room = maxCharacters - headCharacters;
  const all = newestFirst.slice(0, maxAttempts);
  const first = all.findIndex((attempt) => {
    room -= mostBytes(JSON.stringify({ attempts: [attempt] }, null, 2));
    return room < 0;
  });
  return first === -1 ? all : all.slice(0, first);
}

/** No fewer than its bytes in UTF-8, where a unit of UTF-16 takes three at most. */
const mostBytes = (text: string): number => text.length + 2 * (text.match(/[\u0080-\uffff]/g)?.length ?? 0);

/** The text whose UTF-8 bytes are signed (Ed25519): the domain, a line feed, and the canonical JSON of the result. */
export function signedText(result: TrainingResult): string {
  return `${domain}\n${canonicalJson(result satisfies JsonValue)}`;
}

export function writeResult(result: TrainingResult, signature: string): string {
  return `${JSON.stringify({ ...result, signature }, null, 2)}\n`;
}

/** Reads the text of a file; refuses what is no result file with the reason. */
export function readResult(text: string): ReadResult {
  if (text.length > maxCharacters) return refused('The file is too large for a result file.');
  const value = parsed(text);
  if (value === null) return refused('The file is damaged or is not a result file.');
  if (!isJsonObject(value) || value['format'] !== format) return refused('The file is not a result file.');
  if (value['version'] !== version) {
    return refused('The file was saved by another version of Countersign.');
  }
  const file = fileSchema.safeParse(value);
  if (!file.success) return refused(`The file is damaged or edited: ${placeOf(file.error)} is not valid.`);
  // Compares the text itself: the schema would drop or mend a part that was signed.
  if (!jsonEqual(file.data, value))
    return refused('The file was edited: it has parts that no result file has.');
  const { signature, ...result } = file.data;
  if (result.attempts.some(({ name }) => name !== result.name)) {
    return refused('The file was edited: it has attempts of another name.');
  }
  return { kind: 'read', result, signature };
}

function refused(reason: string): ReadResult {
  return { kind: 'refused', reason };
}

function parsed(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

/** The member that fails first, `attempts[3].score` for example; a name that is none of ours is quoted. */
function placeOf({ issues: [first] }: z.ZodError): string {
  const path = (first?.path ?? []).reduce<string>(
    (place, part) => (typeof part === 'number' ? `${place}[${part + 1}]` : memberPath(place, String(part))),
    '',
  );
  return path === '' ? 'a part' : path;
}
