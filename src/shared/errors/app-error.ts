import type { JsonValue } from '../lib/json/json-value.ts';
import { JsonRefusal, type JsonSizeLimits, readStrictJson } from '../lib/json/strict-parse.ts';
import { type OwnSentence, ownWords, quotedUpTo, type Sentence, sentence } from '../lib/sentence.ts';
import { catalogue, type ErrorCode } from './catalogue.ts';

export interface FieldError {
  field: string;
  /** A stable code for programs, for example `out_of_range`. */
  code: string;
  message: Sentence;
}

export interface AppErrorDetails<M extends string = Sentence> {
  message?: M & OwnSentence<M>;
  fields?: FieldError[];
  data?: Record<string, string | number | boolean | null>;
  /** For the log only. Never sent to another process or over the network. */
  cause?: unknown;
}

export interface EncodedError {
  code: ErrorCode;
  message: Sentence;
  next: Sentence;
  fields: FieldError[];
  data: Record<string, string | number | boolean | null>;
}

/** An expected failure with a code from the catalogue. Branch on `code`, never on the message. A bug throws another error. */
export class AppError<const M extends string = Sentence | ''> extends Error {
  declare readonly message: Sentence;
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  readonly data: Record<string, string | number | boolean | null>;

  constructor(code: ErrorCode, details: AppErrorDetails<M> = {}) {
    super(details.message ?? catalogue[code].text, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = details.fields ?? [];
    this.data = details.data ?? {};
  }

  get status(): number {
    return catalogue[this.code].status;
  }

  get next(): Sentence {
    return catalogue[this.code].next;
  }
}

/** Encodes any failure for another process. A bug becomes the neutral `internal`, without its text. */
export function encodeError(error: unknown): EncodedError {
  const known = error instanceof AppError ? error : new AppError('internal', { cause: error });
  return {
    code: known.code,
    message: known.message,
    next: known.next,
    fields: known.fields,
    data: known.data,
  };
}

export function decodeError(encoded: EncodedError): AppError {
  return new AppError(encoded.code, {
    message: encoded.message,
    fields: encoded.fields,
    data: encoded.data,
  });
}

/** Parses strict JSON. Fails with a `json_…` code of the catalogue. The message and `data.path` name the place. */
export function parseStrictJson(text: string, limits?: JsonSizeLimits): JsonValue {
  return parsed(() => readStrictJson(text, limits));
}

/** Parses like {@link parseStrictJson}, but accepts doubles of 17 digits, which many services write. */
export function parseServiceJson(text: string): JsonValue {
  return parsed(() => readStrictJson(text, undefined, 'double'));
}

function parsed(read: () => JsonValue): JsonValue {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    throw new AppError(error.code, { message: refusalInWords(error), data: { path: error.path } });
  }
}

const maxPathLength = 200;

function refusalInWords({ what, path }: JsonRefusal): Sentence {
  return path === ''
    ? sentence`${ownWords(what)}.`
    : sentence`${ownWords(what)} (at ${quotedUpTo(path, maxPathLength)}).`;
}

const systemErrorCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'disk_read_only',
  EISDIR: 'path_occupied',
};

/** Maps an error of the file system to `disk_full`, `disk_read_only` or `path_occupied`, else to the given code. */
export function diskFailure(cause: unknown, otherwise: ErrorCode, message?: Sentence): AppError {
  const systemCode = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const code = systemErrorCodes[systemCode];
  if (code !== undefined) return new AppError(code, { cause });
  return new AppError(otherwise, message === undefined ? { cause } : { message, cause });
}

interface Issue {
  path: PropertyKey[];
  message: string;
  keys?: string[];
}

export interface InputSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } };
}

/** Parses the input of a request. Fails with `bad_input`, which names every invalid place. */
export function parseInput<T>(schema: InputSchema<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_input', { fields: parsed.error.issues.map(toField) });
}

function toField(issue: Issue): FieldError {
  return { field: fieldPath(issue.path), code: 'invalid', message: issueInWords(issue) };
}

/** The schema's message for one issue. It repeats nothing of the input except unknown member names. */
export function issueInWords({ message, keys }: Issue): Sentence {
  if (keys === undefined) return sentence`${ownWords(message)}`;
  return sentence`Unrecognized ${ownWords(keys.length === 1 ? 'key' : 'keys')}: ${keys.join(', ')}`;
}

/** Formats the path of a place in an input, for example `changes[0].field`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '');
}
