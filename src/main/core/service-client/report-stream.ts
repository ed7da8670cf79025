import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { noAnswer, type RequestEnd, retryAfterSeconds } from './rest-requests.ts';
import { type ServiceAnswer, refuseOddAnswer } from './answers.ts';
import { readText, type HttpAnswer } from '#system/http/answer.ts';
import { assertSendable } from '#system/http/redaction.ts';
import { RequestFailure, sendRequest } from '#system/http/request.ts';

/** One GET whose answer may be of any length. */
export interface StreamRequest {
  url: URL;
  /** For the log: the path without the query. */
  path: string;
  headers: Record<string, string>;
  /** Blanked in everything that comes back as words. */
  credential: string;
  /** Until the answer begins, in milliseconds. */
  beginMs: number;
  /** The longest silence within an answer, in milliseconds; the time that a slow reader takes does not count. */
  idleMs: number;
  signal: AbortSignal | undefined;
  /** Uses a connection of its own. */
  ownConnection?: boolean;
}

/** An answer whose bytes are read as they come. The caller reads `chunks` to their end, or calls `close`. */
export interface ReportStream {
  /** The announced length in bytes; null where there is none, or where the bytes travel compressed. */
  totalBytes: number | null;
  /**
   * Can be iterated once. Fails with `service_unreachable` where the connection broke or fell silent, or with the reason of the signal.
   */
  chunks: AsyncIterable<Uint8Array>;
  /** Blanks the credential of the request. */
  conceal(text: string): string;
  /** Gives up the rest. Idempotent. */
  close(): void;
}

export type OpenedStream =
  { kind: 'refused'; answer: ServiceAnswer } | { kind: 'stream'; stream: ReportStream };

/** A refusal says a few words; a longer one says nothing. */
const maxRefusalBytes = 1024 * 1024;

/**
 * Asks for an answer and waits for its first bytes. Redirects are never followed: they would carry the credential elsewhere. A refusal is
 * read as a whole. Fails with `service_unreachable`, with `credential_missing`, with `service_answer_unreadable` for a web page or an
 * error in place of the report, or with the reason of the signal.
 */
export async function openStream(
  { logger, clock, onSeen }: { logger: Logger; clock: Clock; onSeen(seen: RequestEnd): void },
  { credential, url, path, headers, beginMs, idleMs, signal, ownConnection = false }: StreamRequest,
): Promise<OpenedStream> {
  assertSendable(credential);
  const startedAt = performance.now();
  const silence = limitSilence(clock);
  const latencyMs = (): number => performance.now() - startedAt;

  /** The failure of a connection, in words that carry nothing of the request. */
  function lost(failure: unknown): unknown {
    const { isEnded } = silence;
    silence.end();
    if (signal?.aborted === true) return signal.reason;
    if (isEnded) return failure;
    if (!(failure instanceof RequestFailure)) return failure;
    onSeen({ status: null, latencyMs: latencyMs(), retryAfterSeconds: null });
    const { cause } = failure;
    logger.warn({ method: 'GET', path, cause }, 'The service broke off a report, or gave no answer');
    return noAnswer(failure);
  }

  try {
    const response = await silence.within(beginMs, () =>
      sendRequest({
        method: 'GET',
        url,
        headers,
        credential,
        compressed: true,
        ownConnection,
        signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
      }),
    );
    const pause = retryAfterSeconds(response.headers);
    const { status, body, conceal } = response;
    if (status < 200 || status > 299) {
      const text = await silence.within(idleMs, () => readText({ body }, maxRefusalBytes));
      silence.end();
      onSeen({ status, latencyMs: latencyMs(), retryAfterSeconds: pause });
      return { kind: 'refused', answer: { status, text, retryAfterSeconds: pause, conceal } };
    }
    const bytes = body[Symbol.asyncIterator]();
    const next = async (): Promise<Uint8Array | null> => {
      const { done, value } = await silence.within(idleMs, () => bytes.next());
      return done === true ? null : value;
    };
    const first = await next();
    onSeen({ status, latencyMs: latencyMs(), retryAfterSeconds: pause });
    if (first !== null) refuseOddAnswer(textOf(first), conceal);
    const chunks = chunksFrom(first, { next, lost, close: silence.end });
    return {
      kind: 'stream',
      stream: { totalBytes: lengthOf(response), chunks, conceal, close: silence.end },
    };
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

interface SilenceLimit {
  signal: AbortSignal;
  /** True once `end` was called: what breaks then was wanted. */
  readonly isEnded: boolean;
  /** Runs one wait, and ends the request where it takes longer. */
  within<T>(limitMs: number, wait: () => Promise<T>): Promise<T>;
  end(): void;
}

function limitSilence(clock: Clock): SilenceLimit {
  const controller = new AbortController();
  let isEnded = false;
  return {
    get isEnded() {
      return isEnded;
    },
    signal: controller.signal,
    async within(limitMs, wait) {
      const cancelTimer = clock.after(limitMs, () => controller.abort(timedOut()));
      try {
        return await wait();
      } finally {
        cancelTimer();
      }
    },
    end() {
      isEnded = true;
      controller.abort(new DOMException('The answer is not wanted any more', 'AbortError'));
    },
  };
}

/** The name tells the retry policy that waiting as long once more is of no use. */
const timedOut = (): DOMException => new DOMException('The service fell silent', 'TimeoutError');
