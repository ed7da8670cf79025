import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, type AppErrorDetails } from '#shared/errors/index.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';
import { type HttpAnswer, readText } from '#system/http/answer.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import { assertSendable } from '#system/http/redaction.ts';
import {
  type HttpRequest,
  RequestFailure,
  requestText,
  sendRequest,
  withDeadline,
} from '#system/http/request.ts';
import { refuseOddAnswer, retryAfterSeconds, type ServiceAnswer } from './answers.ts';
import type { Pauses } from './retry.ts';

export interface RestSettings {
  /** The credential; asked for anew for every call, never kept or logged. */
  token(): Promise<string>;
  /** Of a member call from the first byte sent to the last one received; of a report the longest silence. In milliseconds. */
  timeoutMs: number;
  logger: Logger;
  /** Called after every call that was made, for the state of the service that the window shows. */
  observe?(outcome: CallOutcome): void;
  /** Waiting of reads for conditions that pass by themselves; without it they do not wait. */
  pauses?: Pauses;
}

export interface CallOutcome {
  /** True for an answer below 500. */
  ready: boolean;
  latencyMs: number;
  /** True if the service took the member's token; left out if the call does not tell. */
  signedIn?: boolean;
  /** The pause that the service asks for (429 and 503); left out where it asks for none. */
  retryAfterSeconds?: number;
}

export interface RestRequest {
  method: 'GET' | 'PUT';
  url: URL;
  headers: Record<string, string>;
  /** The exact text to send. */
  body?: string;
  /** Blanked in everything that comes back as words. */
  credential: string;
  signal?: AbortSignal | undefined;
  /** As in {@link HttpRequest}. */
  ownConnection: boolean;
}

/**
 * Makes one request and reads its whole answer. Without one, a read fails as `noAnswerCode` says and a write with
 * `outcome_unknown`; with `credential_missing` if the credential cannot be sent. An aborted one fails with the reason of
 * its signal, and reports nothing.
 */
export async function askService(settings: RestSettings, request: RestRequest): Promise<ServiceAnswer> {
  const made = begin(settings, request);
  let answer;
  try {
    answer = await requestText({ ...made.request, signal: withDeadline(settings.timeoutMs, request.signal) });
  } catch (failure) {
    throw made.failureOf(failure);
  }
  return made.answered(answer, answer.text);
}

function begin(
  { logger, observe }: RestSettings,
  { signal, ...request }: RestRequest,
): {
  request: Omit<HttpRequest, 'signal'>;
  answered(answer: Pick<HttpAnswer, 'status' | 'headers' | 'conceal'>, text: string): ServiceAnswer;
  /** The failure of a connection, in words that carry nothing of the request. */
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

/** A service that is too busy or broken may not have looked at the token. */
function signedInOf(status: number | null): Pick<CallOutcome, 'signedIn'> {
  if (status === null || status === 429 || status >= 500) return {};
  return { signedIn: status !== 401 };
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

/** An answer whose bytes are read as they come. The caller reads `chunks` to their end, or calls `close`. */
export interface ReportStream {
  /** The announced length in bytes; null where there is none, or where the bytes travel compressed. */
  totalBytes: number | null;
  /** Can be iterated once. Fails with `service_unreachable` where the connection broke or fell silent, or with the reason of the signal. */
  chunks: AsyncIterable<Uint8Array>;
  conceal(text: string): string;
  /** Gives up the rest. Idempotent. */
  close(): void;
}

/** A refusal says a few words; a longer one says nothing. */
const maxRefusalBytes = 1024 * 1024;

/** A report is worked out before it begins: its first bytes may take so many times as long as another answer. */
const beginTimeFactor = 4;

/**
 * Opens an answer of any length and waits for its first bytes. Silence alone ends it, not a slow reader. A refusal is
 * read as a whole and thrown as `refusalOf` makes it. Fails also with `service_unreachable`, `credential_missing`,
 * `service_answer_unreadable` for a web page or an error in place of the report, or with the reason of the signal.
 */
export async function openStream(
  settings: RestSettings & { clock: Clock; refusalOf(answer: ServiceAnswer): AppError },
  asked: RestRequest,
): Promise<ReportStream> {
  const { timeoutMs, clock, refusalOf } = settings;
  const { signal } = asked;
  const made = begin(settings, asked);
  const silence = limitSilence(clock);

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
    if (first !== null) refuseOddAnswer(textOf(first), conceal);
    const chunks = chunksFrom(first, { next, lost, close: silence.end });
    return { totalBytes: lengthOf(response), chunks, conceal, close: silence.end };
  } catch (failure) {
    throw lost(failure);
  }
}

/** An odd answer is short, or shows what it is in its first bytes. */
const maxOddBytes = 64 * 1024;

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, maxOddBytes));
}

/** The first bytes, which are there already, and the others as they are asked for. */
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

/** The length that counts is that of the bytes that are handed out, which a compressed answer does not announce. */
function lengthOf({ headers }: HttpAnswer): number | null {
  const announced = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(announced) && !headers.has('content-encoding') ? Number(announced) : null;
}

function limitSilence(clock: Clock) {
  const controller = new AbortController();
  let isEnded = false;
  return {
    /** True once `end` was called: what breaks then was wanted. */
    get isEnded() {
      return isEnded;
    },
    signal: controller.signal,
    /** Runs one wait, and ends the request if it takes longer. */
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

/** The name tells the retry policy that waiting as long once more is of no use. */
const timedOut = (): DOMException => new DOMException('The service fell silent', 'TimeoutError');
