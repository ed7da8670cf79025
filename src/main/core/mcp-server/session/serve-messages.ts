import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '#core/platform/logger.ts';
import type { MethodCall, Method, MethodResult } from '../methods/method.ts';
import { rpcCodes, RpcError, toRpcError } from '../rpc-error.ts';
import type { Principal } from '../surface.ts';
import type { Call, Calls, Received } from './call.ts';
import type { SessionTransport } from './transport.ts';

/** The parts that serve an exchange. */
interface Serving<P extends Principal> {
  transport: SessionTransport;
  calls: Calls<P>;
  /** Answers a call over the transport, or forgets it there; never fails. */
  answer(call: Call<P>): void;
  /** A client that disconnects may come back for the answer. */
  isResumable: boolean;
}

/**
 * Answers the messages of an exchange: calls by the surface, everything else by the SDK. Calls are given up when the client
 * goes away before they are answered. Fails as `SessionTransport.accept`.
 */
export function serveMessages<P extends Principal>(
  response: ServerResponse,
  received: Received<P>,
  { transport, calls, answer, isResumable }: Serving<P>,
): void {
  const { messages } = received;
  const asked = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
  transport.accept(asked, response);
  const begun = calls.begin(received);
  const giveUp = (): void => {
    if (response.writableFinished || isResumable) return;
    for (const call of begun) call.giveUp();
  };
  response.once('close', giveUp);
  if (response.destroyed) giveUp();
  const called = new Set(begun.map(({ id }) => id));
  for (const message of messages) {
    // The messages were checked by `readMessage`.
    if (message.kind !== 'request' || !called.has(message.id)) {
      transport.onmessage?.(message.raw as unknown as JSONRPCMessage);
    }
  }
  for (const call of begun) answer(call);
}

/**
 * Answers one call by the method that it names, for the principal that sent it. Null as soon as the call is
 * cancelled; `settled` is called when the work has really ended. Never fails.
 */
export async function answerCall<P extends Principal>(
  call: Call<P>,
  {
    method,
    asked,
    logger,
    settled,
  }: { method: Method | null; asked: MethodCall<P>; logger: Logger; settled: () => void },
): Promise<JSONRPCMessage | null> {
  const work = run(method, asked).finally(() => {
    call.isSettled = true;
    settled();
  });
  try {
    const result = await call.untilGivenUp(work);
    return { jsonrpc: '2.0', id: call.id, result };
  } catch (failure) {
    if (call.isGivenUp) return null;
    const { code, message, data } = toRpcError(failure, { method: call.method, logger });
    return { jsonrpc: '2.0', id: call.id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

async function run<P extends Principal>(method: Method | null, asked: MethodCall<P>): Promise<MethodResult> {
  if (method === null) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return method(asked);
}
