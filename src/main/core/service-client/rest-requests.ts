import type { Logger } from '#core/platform/logger.ts';
import { AppError, type AppErrorDetails } from '#shared/errors/index.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import type { ServiceAnswer } from './answers.ts';
import { assertSendable } from '#system/http/redaction.ts';
import { requestText, RequestFailure, withDeadline, type HttpRequest } from '#system/http/request.ts';
import type { Pauses } from './retry.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { AnswerHeaders } from '#system/http/answer.ts';

/** Shared by every call of one client. */
export interface CallSettings {
  /** `{base_url}` of the profile, without a slash at its end. */
  baseUrl: string;
  /** The member's access token; asked for anew for every call, never kept or logged. */
  token(): Promise<string>;
  /** From the first byte sent to the last one received. */
  timeoutMs: number;
  logger: Logger;
  /** Called after every call that was made, for the state of the service that the window shows. */
  observe?(outcome: CallOutcome): void;
  /** Waiting of reads for conditions that pass by themselves; without it they do not wait. */
  pauses?: Pauses;
}

/** Availability of the service, as a call saw it. */
export interface CallOutcome {
  /** An answer says so, whatever it is, but a 5xx says the contrary. */
  ready: boolean;
  latencyMs: number;
  /** True if the service took the member's token; left out if the call does not tell. */
  signedIn?: boolean;
  /** The pause that the service asks for (429 and 503); left out where it asks for none. */
  retryAfterSeconds?: number;
}

export interface RestCall {
  method: 'GET' | 'PUT';
  /** Below the base, with its query. */
  path: string;
  /** The exact text to send. */
  body?: string;
  signal?: AbortSignal | undefined;
  /** As in {@link HttpRequest}. */
  ownConnection?: boolean;
}

/** One request with the member's token (contract §5.1). Fails as `exchange` does. */
export async function call(
  { baseUrl, token, timeoutMs, logger, observe }: CallSettings,
  { method, path, body, signal, ownConnection = false }: RestCall,
): Promise<ServiceAnswer> {
  const credential = await token();
  const headers = { authorization: `Bearer ${credential}`, accept: 'application/json' };
  return exchange(
    { logger, onSeen: (seen) => observe?.({ ...outcomeOf(seen), ...signedInOf(seen) }) },
    {
      method,
      url: new URL(`${baseUrl}${path}`),
      path: path.split('?')[0] ?? '',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body,
      credential,
      timeoutMs,
      signal,
      ownConnection,
    },
  );
}

/** The service's availability that a request shows, whatever credential it carried. */
export function outcomeOf({ status, latencyMs, retryAfterSeconds }: RequestEnd): CallOutcome {
  const asksForPause = (status === 429 || status === 503) && retryAfterSeconds !== null;
  return {
    ready: status !== null && status < 500,
    latencyMs,
    ...(asksForPause ? { retryAfterSeconds } : {}),
  };
}

/** A service that is too busy or broken may not have looked at the token. */
function signedInOf({ status }: RequestEnd): Pick<CallOutcome, 'signedIn'> {
  if (status === null || status === 429 || status >= 500) return {};
  return { signedIn: status !== 401 };
}

/** The end of a request that was made: `status` is null without an answer. */
export interface RequestEnd {
  status: number | null;
  latencyMs: number;
  retryAfterSeconds: number | null;
}

/** A request of the exchange, and its path for the log: without the address's start and without its query. */
type RestExchange = Omit<HttpRequest, 'credential' | 'signal'> & {
  method: 'GET' | 'PUT';
  credential: string;
  path: string;
  /** From the first byte sent to the last one received. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

interface ExchangeSettings {
  logger: Logger;
  onSeen?(seen: RequestEnd): void;
}

/**
 * Makes one request and reads its whole answer. Without an answer, a read fails as `noAnswerCode` says and a write with
 * `outcome_unknown`; with `credential_missing` a credential that cannot be sent. An aborted one fails with the reason of its
 * signal, and reports nothing about the service.
 */
async function exchange(
  { logger, onSeen }: ExchangeSettings,
  { path, timeoutMs, signal, ...request }: RestExchange,
): Promise<ServiceAnswer> {
  assertSendable(request.credential);
  const { method } = request;
  const startedAt = performance.now();
  const latencyMs = (): number => performance.now() - startedAt;
  let answer;
  try {
    answer = await requestText({ ...request, compressed: true, signal: withDeadline(timeoutMs, signal) });
  } catch (failure) {
    if (signal?.aborted === true) throw signal.reason;
    if (!(failure instanceof RequestFailure)) throw failure;
    onSeen?.({ status: null, latencyMs: latencyMs(), retryAfterSeconds: null });
    const { cause } = failure;
    logger.warn({ method, path, cause }, 'The service gave no answer');
    throw method === 'GET' ? noAnswer(failure) : new AppError('outcome_unknown', { cause });
  }
  const { status, text, conceal } = answer;
  const pause = retryAfterSeconds(answer.headers);
  onSeen?.({ status, latencyMs: latencyMs(), retryAfterSeconds: pause });
  return { status, text, retryAfterSeconds: pause, conceal };
}

/** The failure of a request without an answer. One that was redirected or late says so: the service was reached. */
export function noAnswer(failure: RequestFailure, data: AppErrorDetails['data'] = {}): AppError {
  const { cause } = failure;
  return new AppError(noAnswerCode(cause), { ...wordsOf(failure), data, cause });
}

function wordsOf({ isRedirect, isLate }: RequestFailure): { message?: Sentence } {
  if (isRedirect) return { message: sentence`The service redirects elsewhere. Countersign does not follow.` };
  return isLate ? { message: lateWords } : {};
}

/** A deadline passed without an answer. */
export const lateWords = sentence`The service did not answer in time.`;

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
