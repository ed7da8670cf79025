import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { httpDateMs } from '../../rest-requests.ts';
import { statusRefusal, type GuardedFetch } from '../oauth-requests.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export type DocumentName = 'protected-resource' | 'authorization-server';

/** One of the two documents, as it came: for the doctor. */
export interface DocumentRead {
  url: string;
  status: number;
  tookMs: number;
  /** Time of the server's clock (its `Date` header); null if it is missing or unreadable. */
  serverDateMs: number | null;
}

export interface DocumentReader {
  fetch: GuardedFetch;
  onDocument?(which: DocumentName, read: DocumentRead): void;
}

/** Statuses that say: not at this place. Every other one is about the document itself. */
const absent = new Set([404, 405, 410]);

/**
 * Reads one document strictly; null where there is none at this place. Fails with `discovery_failed` where it is no JSON
 * object with the right type, as the guarded fetch does, and with what a status says about the whole service.
 */
export async function readDocument(
  which: DocumentName,
  url: string,
  { fetch, onDocument }: DocumentReader,
): Promise<JsonObject | null> {
  const startedAt = performance.now();
  const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
  const { status, headers } = answer;
  const tookMs = performance.now() - startedAt;
  onDocument?.(which, { url, status, tookMs, serverDateMs: httpDateMs(headers.get('date') ?? '') });
  if (absent.has(status)) return null;
  const refusal = statusRefusal(answer, new URL(url).host);
  if (refusal !== null) throw refusal;
  if (status !== 200) throw unusable(which, null, `it was answered with the status ${status}`);
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw unusable(which, null, 'it is not sent as application/json');
  return parse(which, await answer.text());
}

const titles: Record<DocumentName, string> = {
  'protected-resource': 'The document about the protected resource',
  'authorization-server': 'The document about the authorization server',
};

/** `discovery_failed`, with the document and its field in the message and in `data`; null for the document as a whole. */
export function unusable(
  document: DocumentName,
  field: string | null,
  because: string,
  cause?: unknown,
): AppError {
  return new AppError('discovery_failed', {
    message: sentence`${ownWords(titles[document])} cannot be used: ${ownWords(field === null ? '' : `${field} `)}${ownWords(because)}.`,
    data: { document, field },
    cause,
  });
}

function parse(which: DocumentName, text: string): JsonObject {
  if (text === '') throw unusable(which, null, 'it is empty, too large or not UTF-8');
  let value;
  try {
    value = parseStrictJson(text);
  } catch (cause) {
    const what = cause instanceof AppError ? cause.message : '';
    throw unusable(which, null, `it is no strict JSON (${what})`, cause);
  }
  if (!isJsonObject(value)) throw unusable(which, null, 'it is no JSON object');
  return value;
}

/** One document whose fields are read one by one; what is wrong fails with `discovery_failed`, naming the field. */
export interface DocumentFields {
  text(field: string): string;
  /** Null where the field is absent, or null itself: a server may write so what it leaves out. */
  texts(field: string): readonly string[] | null;
  /** As `texts`, and every one is a single scope (RFC 6749 §3.3). */
  scopes(field: string): readonly string[] | null;
  /** Undefined where it is absent or null. */
  flag(field: string): boolean | undefined;
  /** False for one that is null. */
  has(field: string): boolean;
  value(field: string): unknown;
}

const oneScope = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function fieldsOf(which: DocumentName, document: JsonObject): DocumentFields {
  const value = (field: string): unknown => (Object.hasOwn(document, field) ? document[field] : undefined);
  const texts = (field: string): readonly string[] | null => {
    const found = value(field) ?? null;
    if (found === null) return null;
    if (!isTexts(found)) throw unusable(which, field, 'is not a list of texts');
    return found;
  };
  return {
    text(field) {
      const found = value(field);
      if (typeof found !== 'string') throw unusable(which, field, 'is not a text');
      return found;
    },
    texts,
    scopes(field) {
      const found = texts(field);
      if (found?.some((scope) => !oneScope.test(scope)))
        throw unusable(which, field, 'is not a list of scopes');
      return found;
    },
    flag(field) {
      const found = value(field) ?? undefined;
      if (found !== undefined && typeof found !== 'boolean') {
        throw unusable(which, field, 'is neither true nor false');
      }
      return found;
    },
    has: (field) => (value(field) ?? null) !== null,
    value,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
