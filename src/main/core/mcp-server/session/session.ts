import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CancelledNotificationSchema,
  type JSONRPCMessage,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RequestId } from '../rpc-error.ts';
import {
  type SessionSettings,
  capabilitiesOf,
  changedLists,
  createKnownLists,
  methodOf,
  usualLogLevel,
} from './methods.ts';
import type { McpLimits, McpServerOptions, Principal } from '../surface.ts';
import { answerCall, type Call, callsIn, createCallContext, createCalls, type Received } from './call.ts';
import { createEventBuffer } from './event-stream.ts';
import { SessionTransport } from './transport.ts';

/** One session of one principal: an SDK server with its transport, and the calls that run. */
export interface Session<P extends Principal> {
  readonly id: string;
  /** The principal of its latest request. */
  readonly principal: P;
  readonly protocolVersion: string;
  /** Requests whose work has not ended, those included that were given up. */
  readonly running: number;
  /** A call is running or a stream is open. */
  readonly isBusy: boolean;
  isRunning(id: RequestId): boolean;
  /** If no stream can be resumed, the header is ignored, as the protocol requires. */
  canResumeAfter(eventId: string): boolean;
  /** Another request came: the same principal, as of now. */
  seen(principal: P): void;
  /** True if any of its requests came with this grant. */
  usesGrant(grantId: string): boolean;
  /** Answers messages that have passed every check: calls by the surface, everything else by the SDK. Fails with what the transport refuses. */
  serve(received: Received<P>, response: ServerResponse): void;
  /** Opens the session's own stream, or resumes one. Fails with what the transport refuses. */
  listen(request: IncomingMessage, response: ServerResponse): void;
  /** Reports changed lists over its stream, or later if no stream is open. */
  notifyChangedLists(): void;
  notifyChangedResource(uri: string): void;
  /** Answers its calls and ends its streams; resolves within a little more than two seconds. */
  end(): Promise<void>;
}

interface SessionOptions<P extends Principal> {
  /** A secret. */
  id: string;
  options: McpServerOptions<P>;
  limits: McpLimits;
  opener: P;
  protocolVersion: string;
}

/** A person may have to answer at the other end. */
const askTimeoutMs = 10 * 60_000;

/** Opens a session; the `initialize` that it serves next makes it the client's. */
export async function openSession<P extends Principal>(opening: SessionOptions<P>): Promise<Session<P>> {
  const { id, opener, protocolVersion } = opening;
  const { server, transport, calls, known, settings, events, answer } = await connect(opening);
  const resumes = events !== null;
  const grants = new Set<string | null>([opener.grantId]);
  let principal = opener;
  let streams = 0;

  const notify = (method: string, params: Record<string, unknown> = {}): void => {
    void server.notification({ method, params }).catch(() => {});
  };
  const notifyChangedLists = (): void => {
    if (streams === 0 && !resumes) return;
    for (const kind of changedLists(known, principal, opening.options.logger)) {
      notify(`notifications/${kind}/list_changed`);
    }
  };
  /** A client that disconnects may come back for the answer, if streams can be resumed. */
  const giveUpWhenClosed = (begun: readonly Call<P>[], response: ServerResponse): void => {
    const giveUp = (): void => {
      if (response.writableFinished || resumes) return;
      for (const call of begun) call.giveUp();
    };
    response.once('close', giveUp);
    if (response.destroyed) giveUp();
  };

  return {
    id,
    protocolVersion,
    get principal() {
      return principal;
    },
    get running() {
      return calls.running.size;
    },
    get isBusy() {
      return calls.running.size > 0 || streams > 0;
    },
    isRunning: (requestId) => calls.find(requestId) !== null,
    canResumeAfter: (eventId) => events === null || events.has(eventId),
    seen(now) {
      principal = now;
      grants.add(now.grantId);
    },
    usesGrant: (grantId) => grants.has(grantId),
    serve(received, response) {
      const { messages } = received;
      const asked = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
      transport.accept(asked, response);
      const begun = callsIn(received).map(calls.begin);
      giveUpWhenClosed(begun, response);
      const called = new Set(begun.map((call) => call.id));
      for (const message of messages) {
        // The messages were checked by `readMessage`.
        if (message.kind !== 'request' || !called.has(message.id)) {
          transport.onmessage?.(message.raw as unknown as JSONRPCMessage);
        }
      }
      for (const call of begun) answer(call);
    },
    listen(request, response) {
      // A client that has left by now would keep the session busy for ever: its response emits no more `close`.
      if (response.destroyed) return;
      const lastEventId = request.headers['last-event-id'];
      transport.listen(lastEventId === undefined ? null : String(lastEventId), response);
      streams += 1;
      response.once('close', () => {
        streams -= 1;
        opening.options.onSessions?.();
      });
      notifyChangedLists();
    },
    notifyChangedLists,
    notifyChangedResource(uri) {
      if (settings.subscriptions.has(uri)) notify('notifications/resources/updated', { uri });
    },
    async end() {
      await calls.endAll();
      await server.close();
    },
  };
}

async function connect<P extends Principal>(opening: SessionOptions<P>) {
  const { id, options, limits, opener } = opening;
  const { surface, logger } = options;
  const calls = createCalls<P>();
  const settings: SessionSettings = { logLevel: usualLogLevel, subscriptions: new Set() };
  const known = createKnownLists(surface, opener);
  const events = isResumable(opening) ? createEventBuffer() : null;
  const transport = new SessionTransport({ sessionId: id, events, keepAliveMs: limits.keepAliveMs });
  const logLevel = () => (surface.capabilities.logging === true ? settings.logLevel : null);
  const server: Server = createSdkServer(options, (requestId) => {
    calls.find(requestId)?.giveUp();
    // A cancelled request gets no answer (MCP, Cancellation).
    transport.forget(requestId);
  });
  const closeStreamOf = (call: Call<P>) => (): void => {
    if (events !== null) transport.closeStream(call.id);
  };
  const answer = (call: Call<P>): void => {
    const closeStream = closeStreamOf(call);
    const context = createCallContext(call, {
      sessionId: id,
      client: null,
      logLevel,
      notify: (notification) => server.notification(notification, { relatedRequestId: call.id }),
      async request(question) {
        const asking = { relatedRequestId: call.id, signal: call.signal, timeout: askTimeoutMs };
        return (await server.request(question, ResultSchema, asking)) as JsonObject;
      },
      closeStream,
    });
    const { principal, params } = call;
    const asked = {
      surface,
      principal,
      params,
      context,
      settings,
      known,
      maxSubscriptions: limits.maxSubscriptionsPerSession,
    };
    const settled = (): void => calls.end(call);
    const method = methodOf(surface, call.method);
    const answered = answerCall(call, { method, asked, logger, settled })
      .then((message) => (message === null ? transport.forget(call.id) : transport.send(message)))
      .catch((err: unknown) => {
        logger.error({ err, method: call.method }, 'An MCP request could not be answered');
        transport.forget(call.id);
      });
    calls.answering(call, answered);
  };
  await server.connect(transport);
  return { server, transport, calls, known, settings, events, answer };
}

/** True if the streams of a session can be resumed: from this version on they begin with an event id. */
function isResumable<P extends Principal>({ options, protocolVersion }: SessionOptions<P>): boolean {
  return options.resumption === true && protocolVersion >= '2025-11-25';
}

/** The SDK's server initializes, reads notifications and asks the client. It answers no calls: its schemas would drop keys. */
function createSdkServer<P extends Principal>(
  { info, instructions, surface }: McpServerOptions<P>,
  cancel: (id: RequestId) => void,
): Server {
  const capabilities = capabilitiesOf(surface);
  // Without one of its own each session would make an Ajv, for a kind of question that is not asked through it.
  const jsonSchemaValidator = { getValidator: noValidator };
  const server = new Server(info, {
    capabilities,
    instructions,
    jsonSchemaValidator,
    enforceStrictCapabilities: true,
  });
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId } }) => {
    if (requestId !== undefined) cancel(requestId);
  });
  // `onerror` stays unset: it reports answers that are no longer awaited, and its texts may hold arguments.
  return server;
}

function noValidator(): never {
  throw new Error('Questions to the client are not validated here');
}
