import type { ServerResponse } from 'node:http';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { commonHeaders } from '#core/platform/loopback/guards.ts';
import { AppError } from '#shared/errors/index.ts';
import { textOf } from '../message.ts';
import type { RequestId } from '../rpc-error.ts';
import { type EventStream, type EventBuffer, openEventStream } from './event-stream.ts';

export interface TransportOptions {
  sessionId: string;
  events: EventBuffer | null;
  keepAliveMs: number;
}

interface Answering {
  stream: string;
  open: Set<RequestId>;
}

const ownStream = 'own';
/** An answer within this time is sent with a known length rather than as a stream. */
const heldMs = 25;
const retryMs = 500;

/** Chooses the stream of a session for each message (MCP 2025-11-25, Transports; docs/decisions/0021). */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sessionId: string;
  readonly #options: TransportOptions;
  readonly #streams = new Map<string, EventStream>();
  readonly #answering = new Map<RequestId, Answering>();
  #posts = 0;
  #isClosed = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
  }

  async start(): Promise<void> {}

  /** Opens the stream for the answers to these requests. Without requests, answers 202. Fails with `session_unknown`. */
  accept(requests: readonly RequestId[], response: ServerResponse): void {
    this.#assertOpen();
    if (requests.length === 0) {
      response.writeHead(202, commonHeaders).end();
      return;
    }
    this.#posts += 1;
    const answering = { stream: `post-${this.#posts}`, open: new Set(requests) };
    for (const id of requests) this.#answering.set(id, answering);
    const stream = this.#open(answering.stream, response, heldMs);
    const { events } = this.#options;
    if (events !== null) stream.write('', { id: events.keep(answering.stream, ''), retryMs });
  }

  /**
   * Opens the session's own stream, or resumes a stream after a buffered event. Fails with `stream_open`, `session_unknown` or
   * `bad_request`.
   */
  listen(lastEventId: string | null, response: ServerResponse): void {
    this.#assertOpen();
    const { events } = this.#options;
    if (events === null || lastEventId === null) {
      if (this.#streams.has(ownStream)) throw new AppError('stream_open');
      this.#open(ownStream, response, 0);
      return;
    }
    const resumed = events.after(lastEventId);
    if (resumed === null) throw new AppError('bad_request');
    this.#streams.get(resumed.stream)?.end();
    const stream = this.#open(resumed.stream, response, 0);
    for (const { data, id } of resumed.events) stream.write(data, { id });
    if (resumed.stream !== ownStream && !this.#isAwaited(resumed.stream)) stream.end();
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (!('method' in message)) {
      this.#answer(message);
      return;
    }
    const stream = relatedRequestId === undefined ? ownStream : this.#streamOf(relatedRequestId);
    const isHeard = stream !== null && this.#say(stream, message);
    // Without a stream, the client would never receive the request and never answer it.
    if ('id' in message && !isHeard) throw new Error('No client can receive this question');
  }

  /** Ends the stream of this request. If clients can resume streams, the answer is buffered. */
  closeStream(request: RequestId): void {
    this.#streams.get(this.#streamOf(request) ?? '')?.end();
  }

  /** Forgets a request that needs no answer any more, and ends the stream if no other request uses it. */
  forget(request: RequestId): void {
    const answering = this.#answering.get(request);
    if (answering === undefined) return;
    this.#answering.delete(request);
    answering.open.delete(request);
    if (answering.open.size === 0) this.#streams.get(answering.stream)?.end();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of this.#streams.values()) stream.end();
    this.#answering.clear();
    this.onclose?.();
  }

  #open(name: string, response: ServerResponse, held: number): EventStream {
    const { sessionId, keepAliveMs } = this.#options;
    const stream = openEventStream(response, {
      sessionId,
      keepAliveMs,
      heldMs: held,
      onEnd: () => {
        if (this.#streams.get(name) === stream) this.#streams.delete(name);
      },
    });
    this.#streams.set(name, stream);
    // The response of a client that has already disconnected emits no `close`.
    if (response.destroyed) stream.end();
    return stream;
  }

  #answer(message: JSONRPCMessage): void {
    const { id } = message as { id?: RequestId };
    const answering = id === undefined ? undefined : this.#answering.get(id);
    if (id === undefined || answering === undefined) return;
    this.#say(answering.stream, message);
    this.forget(id);
  }

  #say(name: string, message: JSONRPCMessage): boolean {
    const { events } = this.#options;
    const stream = this.#streams.get(name);
    if (stream === undefined && events === null) return false;
    const data = textOf(message);
    if (events === null) stream?.write(data);
    else {
      const id = events.keep(name, data);
      stream?.write(data, { id });
    }
    return true;
  }

  #streamOf(request: RequestId): string | null {
    return this.#answering.get(request)?.stream ?? null;
  }

  #isAwaited(name: string): boolean {
    return [...this.#answering.values()].some(({ stream }) => stream === name);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new AppError('session_unknown');
  }
}
