import { AppError } from '#shared/errors/index.ts';
import type { Pauses } from '../retry.ts';
import { readEvents } from './event-stream.ts';
import type { ServiceAnswer } from './send-request.ts';
import { sleep } from './sleep.ts';

/** From where a stream can be resumed, and after how long the service wants that. */
export interface StreamPlace {
  lastEventId: string | null;
  retryMs: number | null;
}

export interface Following {
  /** Takes the data of one message. */
  receive(data: string): void;
  isAnswered(): boolean;
  /** Opens the stream again from there. */
  resume(place: StreamPlace): Promise<ServiceAnswer>;
  pauses: Pauses;
  signal: AbortSignal;
}

/** A stream that is resumed and ends again and again is given up. */
const mostResumes = 10;
const resumeAfterMs = 1_000;
/** A service that says how long to wait is not followed to less or more than this, in milliseconds. */
const shortestMs = 100;
const longestMs = 60_000;

/**
 * Reads the stream that answers one request until the answer is there, resuming it where the service ends it before and has
 * named a place (MCP 2025-11-25, Transports, Resumability). Fails with `service_unreachable` and `data.sent` where the answer
 * is lost.
 */
export async function followAnswer(first: ServiceAnswer, following: Following): Promise<void> {
  const place: StreamPlace = { lastEventId: null, retryMs: null };
  let lost = await readUntilAnswered(first, place, following);
  for (let resumes = 0; !following.isAnswered(); resumes += 1) {
    if (place.lastEventId === null || resumes === mostResumes) throw lostAnswer(lost);
    await sleep(pauseOf(place, resumeAfterMs), following);
    try {
      lost = await readUntilAnswered(await following.resume(place), place, following);
    } catch (failure) {
      // Also a session that is unknown by now: the request had been taken before.
      if (!isPassing(failure)) throw lostAnswer(failure);
      lost = failure;
    }
  }
}

/** How long to wait before a stream is opened again. */
export function pauseOf({ retryMs }: StreamPlace, otherwiseMs: number): number {
  return retryMs === null ? otherwiseMs : Math.min(Math.max(retryMs, shortestMs), longestMs);
}

/** Takes the events of a stream and notes its place. Returns what broke it, if anything did. */
async function readUntilAnswered(
  response: ServiceAnswer,
  place: StreamPlace,
  { receive, isAnswered, signal }: Following,
): Promise<unknown> {
  try {
    for await (const event of readEvents(response)) {
      notePlace(place, event);
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

/** What an event says of coming back. */
export function notePlace(
  place: StreamPlace,
  { id, retryMs }: { id: string | null; retryMs: number | null },
): void {
  // An id goes back in a header, so one that cannot stand there names no place.
  if (id !== null) place.lastEventId = /^[\x20-\x7e]{1,1024}$/.test(id) ? id : null;
  if (retryMs !== null) place.retryMs = retryMs;
}

/** The connection may be there again in a moment. */
export function isPassing(failure: unknown): boolean {
  if (!(failure instanceof AppError)) return false;
  return ['service_unreachable', 'service_unavailable', 'service_failed', 'rate_limited'].includes(
    failure.code,
  );
}

function lostAnswer(cause: unknown): AppError {
  return new AppError('service_unreachable', { data: { sent: true }, cause });
}
