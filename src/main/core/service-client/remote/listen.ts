import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Pauses } from '../retry.ts';
import { readEvents } from './event-stream.ts';
import { isPassing, notePlace, pauseOf, type StreamPlace } from './follow-answer.ts';
import type { ServiceAnswer } from './send-request.ts';
import { SessionUnknown } from './session-unknown.ts';
import { sleep } from './sleep.ts';

export interface Listening {
  open(place: StreamPlace): Promise<ServiceAnswer>;
  receive(data: string): void;
  /** The stream is back after a break. */
  onGap(): void;
  pauses: Pauses;
  logger: Logger;
  /** Ends the listening. */
  signal: AbortSignal;
}

/** Why nobody listens any more; `refused`: the service has no such stream, or does not give it. */
export type ListeningEnd = 'closed' | 'refused' | 'session-unknown';

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
/** A stream that lasted so long was a good one: the next break begins with a short wait again. */
const steadyMs = 60_000;

/**
 * Keeps the service's own stream open (MCP 2025-11-25, Transports, Listening for Messages), quietly: a break is met with
 * exponential back-off and jitter, up to a minute (or as the service asks), for as long as the session lives. Never fails.
 */
export async function listen(listening: Listening): Promise<ListeningEnd> {
  const { pauses, logger, signal } = listening;
  const place: StreamPlace = { lastEventId: null, retryMs: null };
  let breaks = 0;
  while (!signal.aborted) {
    const startedAtMs = pauses.clock.monotonicMs();
    const failure = await listenOnce(listening, place, breaks > 0);
    // The very first 404 is of a service without such a stream; a session that is gone shows in its requests.
    if (failure instanceof SessionUnknown) return breaks === 0 ? 'refused' : 'session-unknown';
    if (isFinal(failure)) return 'refused';
    breaks = pauses.clock.monotonicMs() - startedAtMs < steadyMs ? breaks + 1 : 1;
    if (breaks === 1) logger.info({ failure: nameOf(failure) }, 'The stream of the remote tools broke');
    const backoff = backoffMs(breaks, pauses.random());
    const pauseMs = breaks === 1 ? pauseOf(place, backoff) : Math.max(pauseOf(place, 0), backoff);
    await sleep(pauseMs, listening).catch(() => undefined);
  }
  return 'closed';
}

/** Listens until the stream ends; returns what ended it. */
async function listenOnce(
  { open, receive, onGap }: Listening,
  place: StreamPlace,
  isBack: boolean,
): Promise<unknown> {
  try {
    const response = await open(place);
    if (isBack) onGap();
    for await (const event of readEvents(response)) {
      notePlace(place, event);
      if (event.type === 'message' && event.data !== '') receive(event.data);
    }
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/**
 * Another try would end as this one. A message that cannot be read only breaks the stream, and 409 means that the service has
 * not noticed yet that the stream before is gone.
 */
function isFinal(failure: unknown): boolean {
  if (!(failure instanceof AppError) || isPassing(failure)) return false;
  return failure.code !== 'service_answer_unreadable' && failure.data['status'] !== 409;
}

function backoffMs(breaks: number, random: number): number {
  const most = Math.min(firstBackoffMs * 2 ** (breaks - 1), longestBackoffMs);
  return most / 2 + (random * most) / 2;
}

function nameOf(failure: unknown): string {
  if (failure instanceof AppError) return failure.code;
  return failure instanceof Error ? failure.name : 'end of stream';
}
