import type { AnswerHeaders } from '#system/http/answer.ts';

/** Longer pauses count as this one, about thirty years: the number stays a number. */
const maxSeconds = 1_000_000_000;

const seconds = /^\d+$/;
/** The three forms of RFC 9110 §5.6.7; the last one names no zone and means GMT. */
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * The pause that an answer asks for in `Retry-After` (RFC 9110 §10.2.3), in seconds; null where it asks for none or says
 * nothing that can be read. A date counts from the answer's own `Date`, so that no difference of clocks matters.
 */
export function retryAfterSeconds(headers: Pick<AnswerHeaders, 'get'>): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (seconds.test(text)) return Math.min(Number(text), maxSeconds);
  const until = httpDateMs(text);
  const from = httpDateMs(headers.get('date')?.trim() ?? '');
  if (until === null || from === null) return null;
  return Math.min(Math.max(0, Math.ceil((until - from) / 1000)), maxSeconds);
}

/** The moment of a date in a header; null where it is none. */
export function httpDateMs(text: string): number | null {
  if (!dates.some((form) => form.test(text))) return null;
  const parsed = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(parsed) ? null : parsed;
}

/** Reads `WWW-Authenticate: Bearer …` (RFC 6750 §3); null if nothing in it can be used. */
export interface Challenge {
  error: string | null;
  /** Space-separated scope tokens (RFC 6749 §3.3). */
  scope: string | null;
  /** Where the resource describes itself (RFC 9728 §5.1), as the service wrote it: no policy has seen it. */
  resourceMetadata: string | null;
}

const longestHeader = 4096;
const parameter = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
const scopeTokens = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Reads the challenge of a refusing answer. A parameter that is repeated counts as it first came. */
export function readChallenge(headers: Pick<AnswerHeaders, 'get'>): Challenge {
  const text = headers.get('www-authenticate') ?? '';
  const start = text.length > longestHeader ? -1 : text.search(/\bbearer\s/i);
  if (start < 0) return { error: null, scope: null, resourceMetadata: null };
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of text.slice(start).matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const scope = found.get('scope') ?? '';
  return {
    error: found.get('error') ?? null,
    scope: scopeTokens.test(scope) ? scope : null,
    resourceMetadata: found.get('resource_metadata') ?? null,
  };
}
