import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Logger } from '#core/platform/logger.ts';
import type { Exchange } from '../exchange.ts';
import type { McpLimits, McpServerOptions } from '../mcp-server.ts';
import type { RequestId } from '../message.ts';
import type { SessionWishes } from '../methods/asked.ts';
import type { Principal } from '../surface.ts';
import { answerCall } from './answer-call.ts';
import { createCallContext } from './call-context.ts';
import { createCalls } from './calls.ts';
import { createKeptEvents } from './event-store.ts';
import { createKnownLists } from './lists.ts';
import { usualLogLevel } from './log-level.ts';
import { createSdkServer } from './sdk-server.ts';
import { serveExchange } from './serve-exchange.ts';
import { createTransport, isResumable } from './transport.ts';
import { createWebRequests } from './web-requests.ts';

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
  /** Answers a request that has passed every check, until the answer has ended. Fails with what the transport refuses. */
  serve(exchange: Exchange<P>): Promise<void>;
  /** Says over its stream which lists are other ones than it knows; later, where no stream is open. */
  tellChangedLists(): void;
  /** Says that a resource changed, if it wanted to know. */
  tellChangedResource(uri: string): void;
  /** Gives up its calls and ends its streams. */
  end(): Promise<void>;
}

/** Opens a session; the `initialize` that it serves next makes it the client's. */
export async function openSession<P extends Principal>(opening: SessionOptions<P>): Promise<Session<P>> {
  const { id, opener, protocolVersion } = opening;
  const { server, transport, calls, known, wishes, events } = await connect(opening);
  const resumes = events !== null;
  const grants = new Set<string | null>([opener.grantId]);
  const webRequestOf = createWebRequests(opening);
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
  const listening = ({ response }: Exchange<P>): void => {
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
    serve: (exchange) =>
      serveExchange(exchange, {
        transport,
        calls,
        webRequestOf,
        isResumable: resumes,
        answering: () => {
          if (exchange.request.method === 'GET') listening(exchange);
        },
      }),
    tellChangedLists,
    tellChangedResource(uri) {
      if (wishes.subscriptions.has(uri)) tell('notifications/resources/updated', { uri });
    },
    async end() {
      calls.giveUpAll();
      await server.close();
    },
  };
}

/** The parts of a session, joined: what the SDK takes apart is answered by the surface. */
async function connect<P extends Principal>(opening: SessionOptions<P>) {
  const { id, options, limits, opener } = opening;
  const { surface, logger } = options;
  const calls = createCalls<P>();
  const wishes: SessionWishes = { logLevel: usualLogLevel, subscriptions: new Set() };
  const known = createKnownLists(surface, opener);
  const events = isResumable(opening) ? createKeptEvents() : null;
  const transport = createTransport(opening, events);
  const logLevel = () => (surface.capabilities.logging === true ? wishes.logLevel : null);
  const server: Server = createSdkServer(options, {
    async answer(request, closeStream) {
      const call = calls.find(request.id);
      if (call === null) throw new Error('A request reached its session past the checks');
      const { principal, params } = call;
      const context = createCallContext(call, { server, sessionId: id, logLevel, closeStream });
      const asked = { surface, principal, params, context, wishes, known, limits };
      return answerCall(call, { asked, logger, settled: () => calls.end(call) });
    },
    cancel(requestId) {
      const call = calls.find(requestId);
      if (call === null) return;
      call.giveUp();
      // Who cancels is answered nothing (MCP, Cancellation), so the stream has nothing left to carry.
      if (!call.isOfBatch) transport.closeSSEStream(requestId);
    },
  });
  await server.connect(transport);
  return { server, transport, calls, known, wishes, events };
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
