import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, type AppErrorDetails } from '#shared/errors/index.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';
import { type HttpAnswer, readText } from '#system/http/answer.ts';
import { noAnswerCode, assertSendable } from '#system/http/failure-codes.ts';
import {
  type HttpRequest,
  RequestFailure,
  requestText,
  sendRequest,
  withDeadline,
} from '#system/http/request.ts';
import { refusePageOrError, retryAfterSeconds, type ServiceAnswer } from './answers.ts';
import type { RetryTimers } from './retry.ts';

export interface RestSettings {
  /** The credential. It is requested again for every call, and never kept or logged. */
  token(): Promise<string>;
  /** In milliseconds. For a member call, from its start to the last byte received. For a report, the longest silence. */
  timeoutMs: number;
  logger: Logger;
  /** Called after every call that was not aborted, for the service's status. */
  observe?(outcome: CallOutcome): void;
  /** How reads wait before a retry. Without it, they do not wait. */
  pauses?: RetryTimers;
}

export interface CallOutcome {
  /** True for an answer below 500. */
  ready: boolean;
  latencyMs: number;
  /** True if the service accepted the member token. Absent if the call does not show that. */
  signedIn?: boolean;
  /** The pause that the service requests (429 and 503). Absent if it requests none. */
  retryAfterSeconds?: number;
}

export interface RestRequest {
  method: 'GET' | 'PUT';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** Masked in every text of the answer. */
  credential: string;
  signal?: AbortSignal | undefined;
  /** As in {@link HttpRequest}. */
  ownConnection: boolean;
}

/**
 * Makes one request and reads the complete answer. Without an answer, a read fails as in
 * `noAnswerCode`, and a write with `outcome_unknown`. Fails with `credential_missing` if the
 * credential cannot be sent. An aborted request fails with the signal's reason and reports nothing.
 */
export async function askService(settings: RestSettings, request: RestRequest): Promise<ServiceAnswer> {
  const made = prepareCall(settings, request);
  let answer;
  try {
    answer = await withDeadline(settings.timeoutMs, [request.signal], (signal) =>
      requestText({ ...made.request, signal }),
    );
  } catch (failure) {
    throw made.failureOf(failure);
  }
  return made.answered(answer, answer.text);
}

function prepareCall(
  { logger, observe }: RestSettings,
  { signal, ...request }: RestRequest,
): {
  request: Omit<HttpRequest, 'signal'>;
  answered(answer: Pick<HttpAnswer, 'status' | 'headers' | 'conceal'>, text: string): ServiceAnswer;
  /** The failure of a connection. It must not contain anything of the request. */
  failureOf(failure: unknown): unknown;
} {
  const { method, url, headers, credential } = request;
  assertSendable(credential);
  const startedAt = performance.now();
  const report = (status: number | null, pause: number | null): void => {
    const latencyMs = performance.now() - startedAt;
    const asksForPause = (status === 429 || status === 503) && pause !== null;
    observe?.({
      ready: status !== null && status < 500,
      latencyMs,
      ...('authorization' in headers ? signedInOf(status) : {}),
      ...(asksForPause ? { retryAfterSeconds: pause } : {}),
    });
  };
  return {
    request: { ...request, compressed: true },
    answered({ status, headers: answered, conceal }, text) {
      const pause = retryAfterSeconds(answered);
      report(status, pause);
      return { status, text, retryAfterSeconds: pause, conceal };
    },
    failureOf(failure) {
      if (signal?.aborted === true) return signal.reason;
      if (!(failure instanceof RequestFailure)) return failure;
      report(null, null);
      const { cause } = failure;
      logger.warn({ method, path: url.pathname, cause }, 'The service gave no answer, or broke it off');
      return method === 'GET' ? noAnswer(failure) : new AppError('outcome_unknown', { cause });
    },
  };
}

/** Unknown if the service is overloaded or broken, because it may not have checked the token. */
function signedInOf(status: number | null): Pick<CallOutcome, 'signedIn'> {
  if (status === null || status === 429 || status >= 500) return {};
  return { signedIn: status !== 401 };
}

/** The failure of a request without an answer. Its message mentions a redirect or a timeout. */
export function noAnswer(failure: RequestFailure, data: AppErrorDetails['data'] = {}): AppError {
  const { cause } = failure;
  return new AppError(noAnswerCode(cause), { ...wordsOf(failure), data, cause });
}

function wordsOf({ isRedirect, isLate }: RequestFailure): { message?: Sentence } {
  if (isRedirect) return { message: sentence`The service redirects elsewhere. Countersign does not follow.` };
  return isLate ? { message: timeoutMessage } : {};
}

export const timeoutMessage = sentence`The service did not answer in time.`;

/** An answer whose bytes arrive gradually. The caller reads `chunks` to the end, or calls `close`. */
export interface ReportStream {
  /** Can be iterated once. Fails with `service_unreachable` if the connection broke or fell silent, or with the signal's reason. */
  chunks: AsyncIterable<Uint8Array>;
  conceal(text: string): string;
  close(): void;
}

const maxRefusalBytes = 1024 * 1024;

/** A service computes a report before it answers, so the first bytes may take this many times the usual limit. */
const beginTimeFactor = 4;

/**
 * Opens an answer of any length and waits for its first bytes. Only silence ends it, not a slow reader. A refusal is
 * read completely and thrown as `refusalOf` returns it. Fails also with `service_unreachable`, `credential_missing`,
 * `service_answer_unreadable` for a web page or an error instead of the report, or with the signal's reason.
 */
export async function openStream(
  settings: RestSettings & { clock: Clock; refusalOf(answer: ServiceAnswer): AppError },
  asked: RestRequest,
): Promise<ReportStream> {
  const { timeoutMs, clock, refusalOf } = settings;
  const { signal } = asked;
  const made = prepareCall(settings, asked);
  const silence = createIdleTimeout(clock);

  function lost(failure: unknown): unknown {
    const { isEnded } = silence;
    silence.end();
    return isEnded && signal?.aborted !== true ? failure : made.failureOf(failure);
  }

  try {
    const response = await silence.within(beginTimeFactor * timeoutMs, () =>
      sendRequest({
        ...made.request,
        signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
      }),
    );
    const { status, body, conceal } = response;
    if (status < 200 || status > 299) {
      const text = await silence.within(timeoutMs, () => readText({ body }, maxRefusalBytes));
      silence.end();
      throw refusalOf(made.answered(response, text));
    }
    const bytes = body[Symbol.asyncIterator]();
    const next = async (): Promise<Uint8Array | null> => {
      const { done, value } = await silence.within(timeoutMs, () => bytes.next());
      return done === true ? null : value;
    };
    const first = await next();
    made.answered(response, '');
    if (first !== null) refusePageOrError(textOf(first), conceal);
    const chunks = chunksFrom(first, { next, lost, close: silence.end });
    return { chunks, conceal, close: silence.end };
  } catch (failure) {
    throw lost(failure);
  }
}

/** Limits the read, because a web page or an error envelope is short or can be recognised by its first bytes. */
const maxOddBytes = 64 * 1024;

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, maxOddBytes));
}

async function* chunksFrom(
  first: Uint8Array | null,
  {
    next,
    lost,
    close,
  }: { next(): Promise<Uint8Array | null>; lost(failure: unknown): unknown; close(): void },
): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = first; chunk !== null;) {
      yield chunk;
      try {
        chunk = await next();
      } catch (failure) {
        throw lost(failure);
      }
    }
  } finally {
    close();
  }
}

function createIdleTimeout(clock: Clock) {
  const controller = new AbortController();
  let isEnded = false;
  return {
    /** True after `end` was called: failures after it are intended. */
    get isEnded() {
      return isEnded;
    },
    signal: controller.signal,
    async within<T>(limitMs: number, wait: () => Promise<T>): Promise<T> {
      const cancelTimer = clock.after(limitMs, () => controller.abort(timedOut()));
      try {
        return await wait();
      } finally {
        cancelTimer();
      }
    },
    end(): void {
      isEnded = true;
      controller.abort(new DOMException('The answer is not wanted any more', 'AbortError'));
    },
  };
}

/** Because of this name, the retry policy does not retry: another wait of this length would not help. */
const timedOut = (): DOMException => new DOMException('The service fell silent', 'TimeoutError');
