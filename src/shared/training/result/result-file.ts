import { z } from 'zod';
import { canonicalJson } from '../../lib/json/canonical.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { attemptSchema, traineeNameSchema } from '../attempt.ts';

/** Longest text of a result file that is read. */
const maxCharacters = 2_000_000;

const base64url = /^[A-Za-z0-9_-]+$/;

const resultSchema = z.strictObject({
  format: z.literal('countersign-training-result'),
  version: z.literal(1),
  name: traineeNameSchema,
  savedAtMs: z.int().min(0),
  /** The Ed25519 key that signed: its 32 bytes, base64url. */
  publicKey: z.string().length(43).regex(base64url),
  attempts: z.array(attemptSchema).max(2_000),
});

/** What a result file says, without its signature. */
export type TrainingResult = z.infer<typeof resultSchema>;

const fileSchema = resultSchema.extend({ signature: z.string().length(86).regex(base64url) });

/** A result file, read: its form is right, and whether its signature is true is for the caller to check. */
export type ReadResult =
  | { kind: 'read'; result: TrainingResult; /** 64 bytes, base64url. */ signature: string }
  | { kind: 'refused'; /** One sentence. */ reason: string };

/** Keeps a signature over a result from ever being one over anything else. */
const domain = 'countersign training result v1';

/** The text whose UTF-8 bytes are signed (Ed25519): the domain, a line feed, and the canonical JSON of the result. */
export function signedText(result: TrainingResult): string {
  return `${domain}\n${canonicalJson(result satisfies JsonValue)}`;
}

/** The text of the file. */
export function writeResult(result: TrainingResult, signature: string): string {
  return `${JSON.stringify({ ...result, signature }, null, 2)}\n`;
}

/** Reads the text of a file; refuses what is no result file with the reason. */
export function readResult(text: string): ReadResult {
  void [text, maxCharacters, fileSchema];
  throw new Error('Not implemented');
}
