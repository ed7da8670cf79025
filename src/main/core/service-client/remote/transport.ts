import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import { cancelledRequestId, isExactCall, serializeMessage, readMessage } from './rpc-message.ts';
import {
  type Endpoint,
  exchange,
  type OutgoingRequest,
  SessionUnknown,
  unreadable,
} from './tool-requests.ts';
import type { HttpAnswer } from '#system/http/answer.ts';
import type { RetryTimers } from '../retry.ts';
import { listen, readAnswer, requireStream, type StreamPosition } from './streams.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface TransportOptions extends Endpoint {
  pauses: RetryTimers;
  /** Time to send a message that has no answer, in milliseconds. */
  timeoutMs: number;
  /** Called when the service answers the request for a stream with 404: the session is over. */
  onSessionLost(): void;
  onGap(): void;
}

interface RunningRequest {
  controller: AbortController;
  answered: boolean;
}

const sessionIdPattern = /^[\x21-\x7e]{1,1024}$/;

/**
 * Streamable HTTP (MCP 2025-11-25, Transports) for the SDK's client, with our tokens and limits. The SDK's own transport lets
 * a request whose stream ended wait for its timeout, keeps the streams of cancelled requests open, reads answers of any size,
 * and reconnects as fast as a service asks (docs/decisions/0017).
 *
 * `send` of a request resolves with its answer, or fails as `exchange` does; with {@link SessionUnknown} on 404 in a session.
 */
export class ServiceTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  protocolVersion: string | null = null;
  /** Removes the latest token from the service's texts. */
  conceal: (text: string) => string = (text) => text;
  readonly #options: TransportOptions;
  readonly #closing = new AbortController();
  readonly #running = new Map<string, RunningRequest>();
  #session: string | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) return this.#ask(message);
    const cancelled = cancelledRequestId(message);
    if (cancelled !== null) this.#running.get(cancelled)?.controller.abort();
    // `initialize` must not be cancelled with a notification (MCP, Cancellation).
    if (cancelled === null || this.protocolVersion !== null) await this.#send(message);
    if ('method' in message && message.method === 'notifications/initialized') void this.#listen();
    return undefined;
  }

  /** Ends the session at the service. Fails as `exchange` does. */
  async endSession(signal: AbortSignal): Promise<void> {
    if (this.#session === null) return;
    (await this.#exchange({ method: 'DELETE', signal })).cancel();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.onclose?.();
  }

  async #ask(request: JSONRPCRequest): Promise<void> {
    const key = String(request.id);
    const running = { controller: new AbortController(), answered: false };
    this.#running.set(key, running);
    const signal = AbortSignal.any([running.controller.signal, this.#closing.signal]);
    try {
      const response = await this.#post(request, signal);
      if (request.method === 'initialize') this.#session = sessionIdOf(response);
      await readAnswer(response, {
        receive: (text) => this.#receive(this.#read(text), running),
        isAnswered: () => running.answered,
        resume: (place) => this.#openStream(place, signal),
        pauses: this.#options.pauses,
        signal,
      });
    } catch (failure) {
      // The caller has cancelled, or another stream has delivered the answer.
      if (!signal.aborted && !running.answered) throw failure;
    } finally {
      this.#running.delete(key);
    }
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    const { timeoutMs } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      (await this.#post(message, signal)).cancel();
    } catch (cause) {
      throw signal.aborted ? new AppError('service_unreachable', { cause }) : cause;
    }
  }

  async #listen(): Promise<void> {
    const { pauses, logger, onGap, onSessionLost } = this.#options;
    const { signal } = this.#closing;
    const end = await listen({
      open: (place) => this.#openStream(place, signal),
      receive: (text) => this.#receive(this.#read(text)),
      onGap,
      pauses,
      logger,
      signal,
    });
    if (end === 'session-unknown') onSessionLost();
  }

  /** Reads a message and masks the token in it, because results reach agents and the ledger. */
  #read(text: string): JSONRPCMessage {
    return readMessage(this.conceal(text));
  }

  /** Passes on a message of the request `own`, or of the service's own stream. */
  #receive(message: JSONRPCMessage, own: RunningRequest | null = null): void {
    if (!('method' in message)) {
      const running = this.#running.get(String(message.id));
      if (running !== undefined) running.answered = true;
      this.onmessage?.(message);
      // An answer that came over another stream ends the stream of its request.
      if (running !== own) running?.controller.abort();
      return;
    }
    this.onmessage?.(message);
  }

  #post(message: JSONRPCMessage, signal: AbortSignal): Promise<HttpAnswer> {
    return this.#exchange({
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: serializeMessage(message),
      // A write uses a connection of its own, as in the member client.
      ownConnection: isExactCall(message),
      signal,
    });
  }

  async #openStream({ lastEventId }: StreamPosition, signal: AbortSignal): Promise<HttpAnswer> {
    const response = await this.#exchange({
      method: 'GET',
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      },
      signal,
    });
    return requireStream(response);
  }

  async #exchange(
    outgoing: Omit<OutgoingRequest, 'headers'> & Partial<OutgoingRequest>,
  ): Promise<HttpAnswer> {
    const session = this.#session;
    const headers = {
      ...outgoing.headers,
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...(this.protocolVersion === null ? {} : { 'mcp-protocol-version': this.protocolVersion }),
    };
    try {
      const answer = await exchange(this.#options, { ...outgoing, headers });
      this.conceal = answer.conceal;
      return answer;
    } catch (failure) {
      const isUnknown = failure instanceof AppError && failure.data['status'] === 404;
      throw isUnknown && session !== null ? new SessionUnknown(failure) : failure;
    }
  }
}

function sessionIdOf(response: HttpAnswer): string | null {
  const session = response.headers.get('mcp-session-id');
  if (session === null) return null;
  if (!sessionIdPattern.test(session)) throw unreadable(sentence`Its session id cannot be sent.`);
  return session;
}
