import type { Clock } from '#core/platform/clock.ts';
import {
  type AnswerHeaders,
  isWebPage as isPageText,
  RequestFailure,
  requestText,
  withDeadline,
} from '#core/service-client/index.ts';
import { parseServiceJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type Meaning, type NoAnswer, noAnswerLine, whyNoAnswer } from './no-answer.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { type OwnWords, ownWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';
import { redact, redactText } from '#shared/lib/redact.ts';

export type ProbeResult = Answered | { kind: 'none'; because: NoAnswer; tookMs: number };

export interface Answered {
  kind: 'answer';
  status: number;
  headers: AnswerHeaders;
  text: string;
  json: JsonValue | undefined;
  tookMs: number;
}

const maxBytes = 1024 * 1024;

interface AskOptions {
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
}

/** Sends no credentials. Treats a redirect as an answer. Fails only with the signal's reason. */
async function ask(url: string, { timeoutMs, signal, clock }: AskOptions): Promise<ProbeResult> {
  const startedAt = clock.monotonicMs();
  const tookMs = (): number => clock.monotonicMs() - startedAt;
  try {
    const { status, headers, text } = await withDeadline(timeoutMs, [signal], (signal) =>
      requestText(
        {
          method: 'GET',
          url: new URL(url),
          headers: { accept: 'application/json' },
          credential: null,
          compressed: true,
          redirects: 'answer',
          signal,
        },
        maxBytes,
      ),
    );
    return { kind: 'answer', status, headers, text, json: jsonOf(text), tookMs: tookMs() };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof RequestFailure)) throw failure;
    return { kind: 'none', because: whyNoAnswer(failure), tookMs: tookMs() };
  }
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseServiceJson(text);
  } catch {
    return undefined;
  }
}

export function answerLine(asked: ProbeResult): Sentence {
  const time = milliseconds(asked.tookMs);
  if (asked.kind === 'none') return sentence`${ownWords(noAnswerLine(asked.because))}, after ${time}`;
  const { status, text, json } = asked;
  if (text.trim() === '') return sentence`${status} in ${time}, without a text`;
  return sentence`${status} in ${time}: ${json === undefined ? quote(text.trim()) : quoteJson(json)}`;
}

export function isWebPage({ headers, text }: Answered): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '') || isPageText(text);
}

/** Sends probes, and remembers which origins callers should skip from now on. */
export interface Asker {
  ask(url: string): Promise<ProbeResult>;
  /** Why the origin of `address` should be skipped, or null. */
  closed(address: string): Sentence | null;
}

const maxTries = 2;

const transient: ReadonlySet<NoAnswer> = new Set(['timeout', 'cut', 'redirect']);

export function createAsker(options: AskOptions): Asker {
  const closed = new Map<string, Sentence>();
  const tries = new Map<string, number>();

  function remember(origin: string, asked: ProbeResult): void {
    if (asked.kind === 'answer') {
      if (asked.status === 421)
        closed.set(origin, sentence`The service does not answer as ${origin}, as seen above.`);
      return;
    }
    const count = (tries.get(origin) ?? 0) + 1;
    tries.set(origin, count);
    if (transient.has(asked.because) && count < maxTries) return;
    closed.set(origin, sentence`No answer from ${origin}, as seen above.`);
  }

  return {
    async ask(url) {
      const asked = await ask(url, options);
      remember(new URL(url).origin, asked);
      return asked;
    },
    closed: (address) => closed.get(new URL(address).origin) ?? null,
  };
}

/**
 * A skew above the first limit matters near the expiry of a token, above the second always, because access tokens live for
 * minutes.
 */
const noticeAboveMs = 30_000;
const failedAboveMs = 5 * 60_000;

interface ClockSkew extends Meaning {
  state: 'notice' | 'failed';
}

/** Compares the `Date` of an answer (RFC 9110 §6.6.1) with this computer's clock. Null if they agree, or without a date. */
export function clockSkew({ headers, tookMs }: Answered, clock: Clock): ClockSkew | null {
  const serviceTimeMs = Date.parse(headers.get('date') ?? '');
  // A cached answer is as old as its `Age` states (RFC 9111 §5.1).
  const ageMs = Number(headers.get('age') ?? 0) * 1000;
  if (Number.isNaN(serviceTimeMs) || Number.isNaN(ageMs)) return null;
  const aheadMs = serviceTimeMs + ageMs - (clock.nowMs() - tookMs / 2);
  const offMs = Math.abs(aheadMs) - tookMs / 2;
  if (offMs <= noticeAboveMs) return null;
  const side = ownWords(aheadMs > 0 ? 'ahead of' : 'behind');
  return {
    state: offMs > failedAboveMs ? 'failed' : 'notice',
    means: sentence`The service’s clock is ${duration(aheadMs)} ${side} this computer’s, so they disagree about when a token expires. Countersign cannot tell which of the two is wrong.`,
    remedy: sentence`Let this computer set its clock by the network; if it is right, report it to the operator of the service.`,
  };
}

const maxQuotedLength = 160;

/** Quotes text of the service: escaped, without credentials, and limited in length. */
export function quote(text: string): OwnWords {
  // Takes more text than is quoted, because redaction may shorten it.
  const safe = redactText(text.slice(0, 8 * maxQuotedLength));
  const points = [...safe];
  const isWhole = points.length <= maxQuotedLength && text.length <= 8 * maxQuotedLength;
  return ownWords(isWhole ? quoted(safe) : `${quoted(points.slice(0, maxQuotedLength).join(''))} …`);
}

function quoteJson(value: JsonValue): OwnWords {
  return quote(JSON.stringify(redact(value)));
}

const maxListed = 12;
const maxListedLength = 60;

export function listed(words: readonly unknown[]): OwnWords {
  const texts = words.filter((word) => typeof word === 'string' || typeof word === 'number').map(String);
  if (texts.length === 0) return ownWords('none');
  const shown = texts.slice(0, maxListed).map((word) => redactText(word).slice(0, maxListedLength));
  const quotation = quotedUpTo(shown.join(', '), maxListed * (maxListedLength + 2)).ownWords;
  const more = texts.length - shown.length;
  return ownWords(more === 0 ? quotation : `${quotation} and ${more} more`);
}

export function duration(ms: number): OwnWords {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds < 120) return ownWords(`${seconds} s`);
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return ownWords(`${minutes} min`);
  const hours = Math.round(minutes / 60);
  return ownWords(hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`);
}

export function milliseconds(ms: number): OwnWords {
  return ownWords(`${ms < 10 ? ms.toFixed(1) : Math.round(ms).toString()} ms`);
}
