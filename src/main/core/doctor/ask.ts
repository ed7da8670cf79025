import { readText } from '#core/service-client/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { noAnswerWords, whyNoAnswer, type NoAnswer } from './no-answer.ts';
import { milliseconds, quote, quoteJson } from './words.ts';

/** What came of one request. */
export type Asked = Answered | { kind: 'none'; because: NoAnswer; tookMs: number };

export interface Answered {
  kind: 'answer';
  status: number;
  headers: Headers;
  text: string;
  /** Undefined where the text is no JSON. */
  json: JsonValue | undefined;
  tookMs: number;
}

/** The largest answer that is read: a page of documentation would fit many times. */
const mostBytes = 1024 * 1024;

export interface AskOptions {
  timeoutMs: number;
  signal: AbortSignal;
  clock: Clock;
}

/**
 * Asks by one GET without any credential, and reads the whole answer; a redirect is an answer, and not followed. Fails only
 * when the signal ends it.
 */
export async function ask(url: string, { timeoutMs, signal, clock }: AskOptions): Promise<Asked> {
  const startedAt = clock.monotonicMs();
  const tookMs = (): number => clock.monotonicMs() - startedAt;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { status, headers } = response;
    const text = await readText(response, mostBytes);
    return { kind: 'answer', status, headers, text, json: jsonOf(text), tookMs: tookMs() };
  } catch (failure) {
    signal.throwIfAborted();
    return { kind: 'none', because: whyNoAnswer(failure), tookMs: tookMs() };
  }
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}

/** The line that says what came back, for example `200 in 12 ms: “{"status":"ok"}”`. */
export function answerLine(asked: Asked): string {
  const time = milliseconds(asked.tookMs);
  if (asked.kind === 'none') return `${noAnswerWords[asked.because]}, after ${time}`;
  const { status, text, json } = asked;
  if (text.trim() === '') return `${status} in ${time}, without a text`;
  return `${status} in ${time}: ${json === undefined ? quote(text.trim()) : quoteJson(json)}`;
}

/** Whether a web page came. */
export function isWebPage({ headers, text }: Answered): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)\b/i.test(text);
}
