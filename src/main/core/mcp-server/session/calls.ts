import { callerOf } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestId } from '../message.ts';
import type { Principal } from '../surface.ts';
import { createCall } from './call.ts';
import type { Call } from './call.ts';

/** The calls of one session from their arrival until their work has ended. */
export interface Calls<P extends Principal> {
  readonly size: number;
  find(id: RequestId): Call<P> | null;
  /** Registers the requests of an exchange. `initialize` is none: the SDK answers it. */
  begin(exchange: Exchange<P>): Call<P>[];
  end(call: Call<P>): void;
  /**
   * Tells every running call that its session ends, and resolves when each one has its answer: one that does not answer within
   * `answerMs` is answered with `session_ended`. Calls that were given up are not waited for.
   */
  endAll(answerMs: number): Promise<void>;
  /** Counts a call as unanswered until this has settled. */
  answering(call: Call<P>, answered: Promise<void>): void;
}

export function createCalls<P extends Principal>(): Calls<P> {
  const running = new Map<RequestId, Call<P>>();
  const unanswered = new Map<Call<P>, Promise<void>>();
  return {
    get size() {
      return running.size;
    },
    find: (id) => running.get(id) ?? null,
    begin(exchange) {
      const begun = callsOf(exchange);
      for (const call of begun) running.set(call.id, call);
      return begun;
    },
    end: ({ id }) => void running.delete(id),
    answering(call, answered) {
      unanswered.set(call, answered);
      void answered.finally(() => unanswered.delete(call));
    },
    async endAll(answerMs) {
      if (unanswered.size === 0) return;
      for (const call of unanswered.keys()) call.hurry();
      const timer = setTimeout(() => {
        for (const call of unanswered.keys()) call.cutShort();
      }, answerMs);
      await Promise.all(unanswered.values());
      clearTimeout(timer);
    },
  };
}

function callsOf<P extends Principal>(exchange: Exchange<P>): Call<P>[] {
  const principal = callerOf(exchange);
  return exchange.messages.flatMap((message) => {
    if (message.kind !== 'request' || message.method === 'initialize') return [];
    const { id, method, params } = message;
    return [createCall({ id, method, params, principal })];
  });
}
