import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Logger } from '#core/platform/logger.ts';
import type { Exchange } from '../exchange.ts';
import type { McpLimits, McpServerOptions } from '../mcp-server.ts';
import type { RequestId } from '../message.ts';
import type { SessionWishes } from '../methods/asked.ts';
import type { Principal } from '../surface.ts';
import { answerCall } from './answer-call.ts';
import type { Call } from './call.ts';
import { createCallContext } from './call-context.ts';
import { createCalls } from './calls.ts';
import { createKeptEvents } from './kept-events.ts';
import { createKnownLists } from './lists.ts';
import { usualLogLevel } from './log-level.ts';
import { createSdkServer } from './sdk-server.ts';
import { serveMessages } from './serve-messages.ts';
import { SessionTransport } from './transport.ts';

/** How a session is opened. */
export interface SessionOptions<P extends Principal> {
  /** A secret. */
  id: string;
  options: McpServerOptions<P>;
  limits: McpLimits;
  opener: P;
  protocolVersion: string;
}

/** One session of one principal: an SDK server with its transport, and the calls that run. */
export interface Session<P extends Principal> {
  readonly id: string;
  /** As of its latest request. */
  readonly principal: P;
  readonly protocolVersion: string;
  /** Requests whose work has not ended, those included that were given up. */
  readonly running: number;
  /** Somebody waits for it: work goes on or a stream is open. */
  readonly isBusy: boolean;
  isRunning(id: RequestId): boolean;
  /** Whether a stream can be taken up after this event. Where none can, the header says nothing, as the protocol has it. */
  canResumeAfter(eventId: string): boolean;
  /** Another request came: the same principal, as of now. */
  seen(principal: P): void;
  /** Whether any of its requests came with this grant. */
  usesGrant(grantId: string): boolean;
  /** Answers a request that has passed every check. Fails with what the transport refuses. */
  serve(exchange: Exchange<P>): void;
  /** Says over its stream which lists are other ones than it knows; later, where no stream is open. */
  tellChangedLists(): void;
  /** Says that a resource changed, if it wanted to know. */
  tellChangedResource(uri: string): void;
  /** Answers its calls and ends its streams; resolves within a little more than `answerMs` of `session.ts`. */
  end(): Promise<void>;
}

/** How long a session that ends waits for the answers of its calls, in milliseconds: a quit and a person's stop wait with it. */
const answerMs = 2_000;

/** Opens a session; the `initialize` that it serves next makes it the client's. */
export async function openSession<P extends Principal>(opening: SessionOptions<P>): Promise<Session<P>> {
  const { id, opener, protocolVersion } = opening;
  const { server, transport, calls, known, wishes, events, answer } = await connect(opening);
  const resumes = events !== null;
  const grants = new Set<string | null>([opener.grantId]);
  let principal = opener;
  let streams = 0;

  const tell = (method: string, params: Record<string, unknown> = {}): void => {
    void server.notification({ method, params }).catch(() => {});
  };
  const tellChangedLists = (): void => {
    if (streams === 0 && !resumes) return;
    for (const kind of changedLists(opening.options.logger, () => known.takeChanged(principal))) {
      tell(`notifications/${kind}/list_changed`);
    }
  };
  const listen = ({ request, response }: Exchange<P>): void => {
    // Whoever has left by now is not told by the stream, and would keep the session busy for ever.
    if (response.destroyed) return;
    const lastEventId = request.headers['last-event-id'];
    transport.listen(lastEventId === undefined ? null : String(lastEventId), response);
    streams += 1;
    response.once('close', () => void (streams -= 1));
    tellChangedLists();
  };

  return {
    id,
    protocolVersion,
    get principal() {
      return principal;
    },
    get running() {
      return calls.size;
    },
    get isBusy() {
      return calls.size > 0 || streams > 0;
    },
    isRunning: (requestId) => calls.find(requestId) !== null,
    canResumeAfter: (eventId) => events === null || events.has(eventId),
    seen(now) {
      principal = now;
      grants.add(now.grantId);
    },
    usesGrant: (grantId) => grants.has(grantId),
    serve(exchange) {
      if (exchange.request.method === 'GET') listen(exchange);
      else serveMessages(exchange, { transport, calls, answer, isResumable: resumes });
    },
    tellChangedLists,
    tellChangedResource(uri) {
      if (wishes.subscriptions.has(uri)) tell('notifications/resources/updated', { uri });
    },
    async end() {
      await calls.endAll(answerMs);
      await server.close();
    },
  };
}

/** The parts of a session, joined: the SDK's server initializes it, and its calls are answered by the surface. */
async function connect<P extends Principal>(opening: SessionOptions<P>) {
  const { id, options, limits, opener } = opening;
  const { surface, logger } = options;
  const calls = createCalls<P>();
  const wishes: SessionWishes = { logLevel: usualLogLevel, subscriptions: new Set() };
  const known = createKnownLists(surface, opener);
  const events = isResumable(opening) ? createKeptEvents() : null;
  const transport = new SessionTransport({ sessionId: id, events, keepAliveMs: limits.keepAliveMs });
  const logLevel = () => (surface.capabilities.logging === true ? wishes.logLevel : null);
  const server: Server = createSdkServer(options, (requestId) => {
    calls.find(requestId)?.giveUp();
    // Who cancels is answered nothing (MCP, Cancellation).
    transport.forget(requestId);
  });
  const closeStreamOf = (call: Call<P>) => (): void => {
    if (events !== null) transport.closeStream(call.id);
  };
  const answer = (call: Call<P>): void => {
    const closeStream = closeStreamOf(call);
    const context = createCallContext(call, { server, sessionId: id, logLevel, closeStream });
    const { principal, params } = call;
    const asked = { surface, principal, params, context, wishes, known, limits };
    const settled = (): void => calls.end(call);
    const answered = answerCall(call, { asked, logger, settled })
      .then((message) => (message === null ? transport.forget(call.id) : transport.send(message)))
      .catch((err: unknown) => {
        logger.error({ err, method: call.method }, 'An MCP request could not be answered');
        transport.forget(call.id);
      });
    calls.answering(call, answered);
  };
  await server.connect(transport);
  return { server, transport, calls, known, wishes, events, answer };
}

/** Whether the streams of a session can be resumed: from this version on they say from the beginning where. */
function isResumable<P extends Principal>({ options, protocolVersion }: SessionOptions<P>): boolean {
  return options.resumption === true && protocolVersion >= '2025-11-25';
}

/** What cannot be listed now is told another time. */
function changedLists<T>(logger: Logger, take: () => T[]): T[] {
  try {
    return take();
  } catch (err) {
    logger.error({ err }, 'The lists of an MCP session could not be compared');
    return [];
  }
}
