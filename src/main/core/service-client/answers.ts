import type { z } from 'zod';
import {
  AppError,
  catalogue,
  type ErrorCode,
  type FieldError,
  parseServiceJson,
  refusalCodes,
  fieldPath,
  issueInWords,
} from '#shared/errors/index.ts';
import type { AnswerHeaders } from '#system/http/answer.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonValue, jsonOrNull } from '#shared/lib/json/json-value.ts';
import { type OwnWords, ownWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface ServiceAnswer {
  status: number;
  text: string;
  retryAfterSeconds: number | null;
  conceal(text: string): string;
}

/** Maximum number of code points of a service text, because proposals and the ledger store it. */
const maxServiceTextLength = 500;

/** Quotes the service's text. A note outside the quotation marks a shortened text. */
export function quoteServiceText(text: string): OwnWords {
  return quotedUpTo(text, maxServiceTextLength);
}

/** Escapes the service's text for display. A note marks a shortened text. */
export function escapeServiceText(text: string): string {
  return inertStart(text, maxServiceTextLength);
}

/** Our own sentence, followed by the service's text as a quotation. `data.ownWords` is only our sentence. */
export function withServiceWords(
  ours: Sentence,
  words: string,
): { message: Sentence; data: { ownWords?: string } } {
  if (words === '') return { message: ours, data: {} };
  return {
    message: sentence`${ownWords(ours)} The service says: ${quoteServiceText(words)}`,
    data: { ownWords: ours },
  };
}

const pageWords = sentence`A web page came in place of the service’s answer: this network asks for a sign-in first, or the address is another site’s.`;

/** True for a web page, such as a network's sign-in page. */
export function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|\?xml)\b/iu.test(text);
}

/**
 * Fails with `service_answer_unreadable` for a web page, or an error envelope (contract §2.1) with a success status. `text`
 * may be only its first bytes.
 */
export function refusePageOrError(text: string, conceal: ServiceAnswer['conceal']): void {
  if (isWebPage(text)) throw pageOrErrorFailure('page', pageWords, '');
  const body = jsonOrNull(text);
  const { status, message } = isJsonObject(body) ? body : {};
  if (typeof status !== 'string' || status === 'success' || typeof message !== 'string') return;
  throw pageOrErrorFailure(
    'error',
    sentence`The service gave an error in place of the data.`,
    conceal(message),
  );
}

function pageOrErrorFailure(found: 'page' | 'error', ours: Sentence, words: string): AppError {
  const { message, data } = withServiceWords(ours, words);
  return new AppError('service_answer_unreadable', { message, data: { ...data, found } });
}

/**
 * Parses strictly and checks the shape, keeping unknown members. Fails
 * with `service_answer_unreadable`, naming the first wrong path.
 */
export function parseAnswer<S extends z.ZodType>(
  { text, conceal }: Pick<ServiceAnswer, 'text' | 'conceal'>,
  schema: S,
): z.output<S> {
  // Answers are stored, shown and sent back, so they must not contain the request's credential.
  if (conceal(text) !== text) throw unreadable(sentence`It repeats the credential of the request.`);
  let value: JsonValue;
  try {
    value = parseServiceJson(text);
  } catch (failure) {
    refusePageOrError(text, conceal);
    throw unreadable(sentence`${ownWords(failure instanceof AppError ? conceal(failure.message) : '')}`);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  refusePageOrError(text, conceal);
  return checkShape(value, schema, conceal);
}

/** Checks the shape of a part of an answer. Fails with `service_answer_unreadable`. */
export function checkShape<S extends z.ZodType>(
  value: JsonValue,
  schema: S,
  conceal: ServiceAnswer['conceal'],
): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const path = conceal(fieldPath(issue?.path ?? []));
  throw unreadable(sentence`${path}: ${ownWords(issue === undefined ? '' : conceal(issueInWords(issue)))}`);
}

function unreadable(what: Sentence): AppError {
  return new AppError('service_answer_unreadable', {
    message: sentence`The service gave an answer that cannot be read: ${ownWords(what)}`,
  });
}

const maxFields = 200;

/** Maps an HTTP status to an error code. `bodyCode` is the `code` member of the body, or null. */
export type RefusalCodes = (status: number, said: string | null) => ErrorCode | undefined;

/** Contract §7.1, and §7.3 for a wrong host. */
const memberCodes: RefusalCodes = (status) => (status === 421 ? 'wrong_host' : refusalCodes[status]);

export function isSuccess({ status }: ServiceAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Error of a refusal, with up to 200 field errors and `data.retryAfterSeconds`. */
export function refusalOf(answer: ServiceAnswer, codes: RefusalCodes = memberCodes): AppError {
  const { status, retryAfterSeconds } = answer;
  const { message, said, fields } = readBody(answer);
  const code = codes(status, said) ?? (status >= 500 ? 'service_failed' : 'operation_refused');
  const { text } = catalogue[code];
  const { data, ...words } = withServiceWords(text, message === text ? '' : message);
  return new AppError(code, {
    ...words,
    fields,
    data: { ...data, status, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) },
  });
}

/** Reads the message, the code and the field errors of a refusal, in all forms of contract §2.1 and §7.1. */
function readBody({ status, text, conceal }: ServiceAnswer): {
  message: string;
  said: string | null;
  fields: FieldError[];
} {
  const body = jsonOrNull(text);
  const { message, code, errors, data } = isJsonObject(body) ? body : {};
  const words = (said: string): string => escapeServiceText(conceal(said));
  const details = readDetails(errors ?? (status === 422 ? data : undefined)).slice(0, maxFields);
  return {
    message: typeof message === 'string' ? conceal(message) : '',
    said: typeof code === 'string' ? code : null,
    fields: details.map((one) => ({
      field: words(one.field),
      code: words(one.code),
      message: sentence`${quoteServiceText(conceal(one.message))}`,
    })),
  };
}

type RefusalDetail = Record<'field' | 'code' | 'message', string>;

function readDetails(details: JsonValue | undefined): RefusalDetail[] {
  if (Array.isArray(details)) return details.flatMap(readDetail);
  if (!isJsonObject(details)) return [];
  return Object.entries(details).flatMap(([field, texts]) =>
    [texts].flat().flatMap((message) => readDetail({ field, message })),
  );
}

function readDetail(detail: JsonValue): RefusalDetail[] {
  const { field, code, message } = isJsonObject(detail) ? detail : {};
  if (typeof field !== 'string' || typeof message !== 'string') return [];
  return [{ field, code: typeof code === 'string' ? code : 'not_valid', message }];
}

/** Caps longer pauses at about thirty years, so that the number stays finite. */
const maxRetryAfterSeconds = 1_000_000_000;

const secondsPattern = /^\d+$/;
/** The three forms of RFC 9110 §5.6.7. The last one has no time zone and means GMT. */
const datePatterns = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The pause of `Retry-After` (RFC 9110 §10.2.3) in seconds; null if unreadable. A date is relative to the answer's own `Date`. */
export function retryAfterSeconds(headers: Pick<AnswerHeaders, 'get'>): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (secondsPattern.test(text)) return Math.min(Number(text), maxRetryAfterSeconds);
  const until = httpDateMs(text);
  const from = httpDateMs(headers.get('date')?.trim() ?? '');
  if (until === null || from === null) return null;
  return Math.min(Math.max(0, Math.ceil((until - from) / 1000)), maxRetryAfterSeconds);
}

function httpDateMs(text: string): number | null {
  if (!datePatterns.some((form) => form.test(text))) return null;
  const parsed = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(parsed) ? null : parsed;
}

/** The parameters of `WWW-Authenticate: Bearer …` (RFC 6750 §3); null for each that is missing or unusable. */
export interface Challenge {
  error: string | null;
  /** Space-separated scope tokens (RFC 6749 §3.3). */
  scope: string | null;
  /** The address of the resource's metadata (RFC 9728 §5.1), unchecked: it has not passed the address policy. */
  resourceMetadata: string | null;
}

const maxHeaderLength = 4096;
const parameterPattern = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export function readChallenge(headers: Pick<AnswerHeaders, 'get'>): Challenge {
  const text = headers.get('www-authenticate') ?? '';
  const start = text.length > maxHeaderLength ? -1 : text.search(/\bbearer\s/i);
  if (start < 0) return { error: null, scope: null, resourceMetadata: null };
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of text.slice(start).matchAll(parameterPattern)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const scope = found.get('scope') ?? '';
  return {
    error: found.get('error') ?? null,
    scope: scopePattern.test(scope) ? scope : null,
    resourceMetadata: found.get('resource_metadata') ?? null,
  };
}
