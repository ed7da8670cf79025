import { z } from 'zod';
import { AppError, parseStrictJson } from '../../errors/index.ts';
import { canonicalJson } from '../../lib/json/canonical.ts';
import { lastMomentMs } from '../../lib/date-text.ts';
import { isJsonObject, jsonEqual, type JsonValue, memberPath } from '../../lib/json/json-value.ts';
import { type Attempt, attemptSchema, traineeNameSchema } from '../attempt.ts';

const maxCharacters = 2_000_000;

const maxAttempts = 2_000;

const headCharacters = 2_000;

/**
 * 32 and 64 bytes in base64url. The patterns of the last character allow no spare bits, so each value has exactly one
 * spelling.
 */
const keyText = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
const signatureText = z.string().regex(/^[\w-]{85}[AQgw]$/);

const format = 'countersign-training-result';
const version = 1;

const resultSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  name: traineeNameSchema,
  savedAtMs: z.int().min(0).max(lastMomentMs),
  /** The Ed25519 public key: 32 bytes, base64url. */
  publicKey: keyText,
  attempts: z.array(attemptSchema).max(maxAttempts),
});

export type TrainingResult = z.infer<typeof resultSchema>;

const fileSchema = resultSchema.extend({ signature: signatureText });

/** A `read` file has a valid shape. The caller has to verify its signature. */
export type ReadResult =
  | { kind: 'read'; result: TrainingResult; /** 64 bytes, base64url. */ signature: string }
  | { kind: 'refused'; /** One sentence. */ reason: string };

/** Domain separation: no other signature of the key is valid here. */
const domain = 'countersign training result v1';

/** The newest attempts that fit into a file: readers refuse larger files. */
export function attemptsThatFit(newestFirst: readonly Attempt[]): Attempt[] {
  // Counted in bytes, because a page measures files in bytes.
  let room = maxCharacters - headCharacters;
  const all = newestFirst.slice(0, maxAttempts);
  const first = all.findIndex((attempt) => {
    room -= mostBytes(JSON.stringify({ attempts: [attempt] }, null, 2));
    return room < 0;
  });
  return first === -1 ? all : all.slice(0, first);
}

const mostBytes = (text: string): number => text.length + 2 * (text.match(/[\u0080-\uffff]/g)?.length ?? 0);

/** The text whose UTF-8 bytes are signed with Ed25519. */
export function signedText(result: TrainingResult): string {
  return `${domain}\n${canonicalJson(result satisfies JsonValue)}`;
}

export function writeResult(result: TrainingResult, signature: string): string {
  return `${JSON.stringify({ ...result, signature }, null, 2)}\n`;
}

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
  // The schema would drop or coerce a part that was signed, so the signature would no longer prove what is shown.
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

function placeOf({ issues: [first] }: z.ZodError): string {
  const path = (first?.path ?? []).reduce<string>(
    (place, part) => (typeof part === 'number' ? `${place}[${part + 1}]` : memberPath(place, String(part))),
    '',
  );
  return path === '' ? 'a part' : path;
}
