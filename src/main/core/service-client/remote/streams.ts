import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RetryTimers } from '../retry.ts';
import { SessionUnknown, unreadable } from './tool-requests.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { type HttpAnswer, maxAnswerBytes } from '#system/http/answer.ts';
import { untilAborted } from '#system/http/public-address.ts';

/** Waits `delayMs`, or fails with the signal's reason if the signal aborts. */
async function sleep(
  delayMs: number,
  { pauses, signal }: { pauses: RetryTimers; signal: AbortSignal },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = pauses.clock.after(delayMs, resolve);
  await untilAborted(promise, signal).finally(cancel);
}

/** The last event ID of a stream, for resuming it, and the retry delay that the service requested. */
export interface StreamPosition {
  lastEventId: string | null;
  retryMs: number | null;
}

interface AnswerReading {
  receive(text: string): void;
  isAnswered(): boolean;
  resume: ((place: StreamPosition) => Promise<HttpAnswer>) | null;
  pauses: RetryTimers;
  signal: AbortSignal;
}

const maxResumes = 10;
const resumeAfterMs = 1_000;
const minDelayMs = 100;
const maxDelayMs = 60_000;

/**
 * Reads the answer of one request: one JSON body, or an event stream up to the answer. Fails with `service_unreachable` and
 * `data.sent` if the answer is lost, and with `service_answer_unreadable`.
 */
export async function readAnswer(response: HttpAnswer, reading: AnswerReading): Promise<void> {
  switch (mediaTypeOf(response)) {
    case 'application/json':
      reading.receive(await readBody(response));
      break;
    case 'text/event-stream':
      await followAnswer(response, reading);
      break;
    default:
      response.cancel();
      throw unreadable(sentence`It is neither JSON nor an event stream.`);
  }
  if (!reading.isAnswered()) throw unreadable(sentence`It answers something else.`);
}

/** Requires an event stream. Cancels any other answer and fails with `protocol_failed`. */
export function requireStream(response: HttpAnswer): HttpAnswer {
  if (mediaTypeOf(response) === 'text/event-stream') return response;
  response.cancel();
  throw new AppError('protocol_failed');
}

function mediaTypeOf(response: HttpAnswer): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

async function readBody(response: HttpAnswer): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw lostAnswer(cause);
  }
}

/**
 * Reads the stream of one request until its answer. A stream whose events have ids is resumed (MCP 2025-11-25,
 * Transports, Resumability). Fails with `service_unreachable` and `data.sent` if the answer is lost.
 */
async function followAnswer(first: HttpAnswer, reading: AnswerReading): Promise<void> {
  const place: StreamPosition = { lastEventId: null, retryMs: null };
  let lastFailure = await readUntilAnswered(first, place, reading);
  const { resume } = reading;
  for (let resumes = 0; !reading.isAnswered(); resumes += 1) {
    if (resume === null || place.lastEventId === null || resumes === maxResumes)
      throw lostAnswer(lastFailure);
    await sleep(resumeDelayMs(place, resumeAfterMs), reading);
    try {
      lastFailure = await readUntilAnswered(await resume(place), place, reading);
    } catch (failure) {
      // A lost session counts too, because the service had accepted the request.
      if (!isTransient(failure)) throw lostAnswer(failure);
      lastFailure = failure;
    }
  }
}

function resumeDelayMs({ retryMs }: StreamPosition, otherwiseMs: number): number {
  return retryMs === null ? otherwiseMs : Math.min(Math.max(retryMs, minDelayMs), maxDelayMs);
}

async function readUntilAnswered(
  response: HttpAnswer,
  place: StreamPosition,
  { receive, isAnswered, signal }: AnswerReading,
): Promise<unknown> {
  try {
    for await (const event of readEvents(response)) {
      updatePosition(place, event);
      if (event.type === 'message' && event.data !== '') receive(event.data);
      if (isAnswered()) return undefined;
    }
    return undefined;
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof AppError) throw failure;
    return failure;
  }
}

function updatePosition(
  place: StreamPosition,
  { id, retryMs }: { id: string | null; retryMs: number | null },
): void {
  // The id is sent back in a header. The stream cannot be resumed after an id that a header cannot carry.
  if (id !== null) place.lastEventId = /^[\x20-\x7e]{1,1024}$/.test(id) ? id : null;
  if (retryMs !== null) place.retryMs = retryMs;
}

function isTransient(failure: unknown): boolean {
  if (!(failure instanceof AppError)) return false;
  return ['service_unreachable', 'service_unavailable', 'service_failed', 'rate_limited'].includes(
    failure.code,
  );
}

function lostAnswer(cause: unknown): AppError {
  return new AppError('service_unreachable', { data: { sent: true }, cause });
}

interface ListenOptions {
  open(place: StreamPosition): Promise<HttpAnswer>;
  receive(data: string): void;
  onGap(): void;
  pauses: RetryTimers;
  logger: Logger;
  signal: AbortSignal;
}

/** `refused`: the service has no such stream, or refuses to open it. */
type ListenResult = 'closed' | 'refused' | 'session-unknown';

const firstBackoffMs = 1_000;
const maxBackoffMs = 60_000;
const healthyStreamMs = 60_000;

/**
 * Keeps the service's own stream open until the session ends (MCP 2025-11-25, Transports, Listening for Messages). Opens
 * a broken stream again with exponential back-off and jitter, up to a minute. Never fails.
 */
export async function listen(listening: ListenOptions): Promise<ListenResult> {
  const { pauses, logger, signal } = listening;
  const place: StreamPosition = { lastEventId: null, retryMs: null };
  let breaks = 0;
  while (!signal.aborted) {
    const startedAtMs = pauses.clock.monotonicMs();
    const failure = await listenOnce(listening, place, breaks > 0);
    // A 404 before any break means that the service has no such stream. The requests of an ended session report its end.
    if (failure instanceof SessionUnknown) return breaks === 0 ? 'refused' : 'session-unknown';
    if (isFinal(failure)) return 'refused';
    breaks = pauses.clock.monotonicMs() - startedAtMs < healthyStreamMs ? breaks + 1 : 1;
    if (breaks === 1) logger.info({ failure: failureName(failure) }, 'The stream of the remote tools broke');
    const backoff = backoffMs(breaks, pauses.random());
    const pauseMs = breaks === 1 ? resumeDelayMs(place, backoff) : Math.max(resumeDelayMs(place, 0), backoff);
    await sleep(pauseMs, listening).catch(() => undefined);
  }
  return 'closed';
}

async function listenOnce(
  { open, receive, onGap }: ListenOptions,
  place: StreamPosition,
  isReconnect: boolean,
): Promise<unknown> {
  try {
    const response = await open(place);
    if (isReconnect) onGap();
    for await (const event of readEvents(response)) {
      updatePosition(place, event);
      if (event.type === 'message' && event.data !== '') receive(event.data);
    }
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/**
 * True if the stream must not be reopened. An unreadable message or a 409 (the service still sees the previous stream) is not
 * final.
 */
function isFinal(failure: unknown): boolean {
  if (!(failure instanceof AppError) || isTransient(failure)) return false;
  return failure.code !== 'service_answer_unreadable' && failure.data['status'] !== 409;
}

function backoffMs(breaks: number, random: number): number {
  const max = Math.min(firstBackoffMs * 2 ** (breaks - 1), maxBackoffMs);
  return max / 2 + (random * max) / 2;
}

function failureName(failure: unknown): string {
  if (failure instanceof AppError) return failure.code;
  return failure instanceof Error ? failure.name : 'end of stream';
}

/** A server-sent event. An event without data still changes the id after which the stream is resumed. */
export interface StreamEvent {
  id: string | null;
  /** `message` if the service names no type. */
  type: string;
  data: string;
  retryMs: number | null;
}

/** The stream is not UTF-8, or one event exceeds the maximum answer size. */
export class UnreadableStream extends Error {}

/**
 * Yields server-sent events (HTML Standard §9.2) as they arrive. An event that the end of the stream cuts off is dropped.
 * Fails with `UnreadableStream`, or as the connection does. Leaving the loop ends the stream.
 */
export async function* readEvents({
  body,
}: {
  body: AsyncIterable<Uint8Array> | null;
}): AsyncGenerator<StreamEvent, void> {
  if (body === null) return;
  let fields = createFields();
  for await (const line of readLines(body)) {
    if (line !== '') {
      applyField(fields, line);
      continue;
    }
    if (fields.seen) yield toEvent(fields);
    fields = createFields();
  }
}

interface Fields {
  seen: boolean;
  id: string | null;
  type: string;
  data: string[];
  size: number;
  retryMs: number | null;
}

function createFields(): Fields {
  return { seen: false, id: null, type: '', data: [], size: 0, retryMs: null };
}

function toEvent({ id, type, data, retryMs }: Fields): StreamEvent {
  return { id, type: type === '' ? 'message' : type, data: data.join('\n'), retryMs };
}

function applyField(fields: Fields, line: string): void {
  fields.size += line.length;
  if (fields.size > maxAnswerBytes) throw tooLarge();
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  switch (name) {
    case 'data':
      fields.data.push(value);
      break;
    case 'event':
      fields.type = value;
      break;
    case 'id':
      if (value.includes('\0')) return;
      fields.id = value;
      break;
    case 'retry':
      if (!/^\d{1,15}$/.test(value)) return;
      fields.retryMs = Number(value);
      break;
    default:
      return;
  }
  fields.seen = true;
}

/** Yields complete lines without their ends: CRLF, LF or CR, also if CR and LF arrive in different chunks. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decode = createDecoder();
  let pieces: string[] = [];
  let size = 0;
  let endedWithReturn = false;
  for await (const bytes of body) {
    const decoded = decode(bytes);
    if (decoded === '') continue;
    const text = endedWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    endedWithReturn = decoded.endsWith('\r');
    const [first = '', ...further] = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    pieces.push(first);
    size += first.length;
    if (size > maxAnswerBytes) throw tooLarge();
    for (const next of further) {
      yield pieces.join('');
      pieces = [next];
      size = next.length;
    }
  }
}

/** Decodes successive chunks, because a character may be split between two of them. */
function createDecoder(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: true });
    } catch (cause) {
      throw new UnreadableStream('The stream is not UTF-8', { cause });
    }
  };
}

function tooLarge(): Error {
  return new UnreadableStream('An event of the stream is larger than the largest answer');
}
