import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RequestId } from '../message.ts';
import type { Principal } from '../surface.ts';

/** What was asked, and by whom. */
export interface AskedCall<P extends Principal> {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** As whom it was sent. */
  readonly principal: P;
}

/** One request of a session while it is being answered. */
export interface Call<P extends Principal> extends AskedCall<P> {
  /** Nobody waits for its answer any more. */
  readonly isGivenUp: boolean;
  /** Its session ends, and an answer is still heard for a moment. */
  readonly isEnding: boolean;
  /** Fires when it is given up or its session ends; made when somebody looks. */
  readonly signal: AbortSignal;
  /** Nothing may be said of it any more. */
  isSettled: boolean;
  giveUp(): void;
  /** Tells the work by its signal to answer now, because the session ends. */
  hurry(): void;
  /** Ends the waiting for work that did not answer in time: the call fails with `session_ended`. */
  cutShort(): void;
  /**
   * Settles as the work does, or fails when the call is given up or cut short: its stream is then free, whatever the work still
   * does.
   */
  untilGivenUp<T>(work: Promise<T>): Promise<T>;
}

/** A call that has just arrived. */
export function createCall<P extends Principal>(asked: AskedCall<P>): Call<P> {
  const given = Promise.withResolvers<never>();
  // Often nobody waits for it.
  given.promise.catch(() => {});
  let controller: AbortController | null = null;
  let isGivenUp = false;
  let isEnding = false;
  return {
    ...asked,
    isSettled: false,
    get isGivenUp() {
      return isGivenUp;
    },
    get isEnding() {
      return isEnding && !isGivenUp;
    },
    get signal() {
      controller ??= new AbortController();
      if (isGivenUp || isEnding) controller.abort();
      return controller.signal;
    },
    hurry() {
      isEnding = true;
      controller?.abort();
    },
    cutShort: () => given.reject(new AppError('session_ended')),
    giveUp() {
      isGivenUp = true;
      controller?.abort();
      given.reject(new Error('The request was cancelled.'));
    },
    untilGivenUp: (work) => Promise.race([work, given.promise]),
  };
}
