import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Exchange } from '../exchange.ts';
import type { Principal } from '../surface.ts';
import type { Call } from './call.ts';
import type { Calls } from './calls.ts';
import type { SessionTransport } from './transport.ts';

/** What an exchange is served with. */
interface Serving<P extends Principal> {
  transport: SessionTransport;
  calls: Calls<P>;
  /** Answers a call over the transport, or forgets it there; never fails. */
  answer(call: Call<P>): void;
  /** Who goes away may come back for the answer. */
  isResumable: boolean;
}

/**
 * Answers the messages of an exchange: calls by the surface, everything else by the SDK. Calls are given up when the client
 * goes away before they are answered. Fails as `SessionTransport.accept`.
 */
export function serveMessages<P extends Principal>(
  exchange: Exchange<P>,
  { transport, calls, answer, isResumable }: Serving<P>,
): void {
  const { response, messages } = exchange;
  const asked = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
  transport.accept(asked, response);
  const begun = calls.begin(exchange);
  const giveUp = (): void => {
    if (response.writableFinished || isResumable) return;
    for (const call of begun) call.giveUp();
  };
  response.once('close', giveUp);
  if (response.destroyed) giveUp();
  const called = new Set(begun.map(({ id }) => id));
  for (const message of messages) {
    // What was read as a message is one.
    if (message.kind !== 'request' || !called.has(message.id)) {
      transport.onmessage?.(message.raw as unknown as JSONRPCMessage);
    }
  }
  for (const call of begun) answer(call);
}
