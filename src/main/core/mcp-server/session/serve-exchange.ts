import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Principal } from '../surface.ts';
import type { Calls } from './calls.ts';
import { sendWebResponse } from './send-web-response.ts';

/** What an exchange is served with. */
interface Serving<P extends Principal> {
  transport: WebStandardStreamableHTTPServerTransport;
  calls: Calls<P>;
  /** A message or a stream of this session, as the transport reads it. */
  webRequestOf(exchange: Exchange<P>): Request;
  /** Who goes away may come back for the answer. */
  isResumable: boolean;
  /** The answer is about to go out, a stream possibly. */
  answering(): void;
}

/** What the transport still refuses after our own checks. */
const refusals: Readonly<Record<number, ErrorCode>> = { 404: 'session_unknown', 409: 'stream_open' };

/**
 * Hands the messages of an exchange to the transport and sends what it answers, until that has ended. Calls are given up when
 * the client goes away before: neither the SDK nor its transport tells a handler that nobody waits any more.
 */
export async function serveExchange<P extends Principal>(
  exchange: Exchange<P>,
  { transport, calls, webRequestOf, isResumable, answering }: Serving<P>,
): Promise<void> {
  const { response, messages, isBatch } = exchange;
  const begun = calls.begin(exchange);
  const giveUp = () => {
    if (response.writableFinished || isResumable) return;
    for (const call of begun) call.giveUp();
  };
  response.once('close', giveUp);
  if (response.destroyed) giveUp();
  const raw = messages.map((message) => message.raw);
  const parsedBody = isBatch ? raw : raw[0];
  const answer = await transport.handleRequest(webRequestOf(exchange), { parsedBody });
  if (answer.status >= 400) {
    for (const call of begun) calls.end(call);
    throw new AppError(refusals[answer.status] ?? 'bad_request');
  }
  answering();
  await sendWebResponse(answer, response);
}
