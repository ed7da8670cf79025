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
  defaultLogLevel,
} from './methods.ts';
import type { McpLimits, McpServerOptions, Principal } from '../surface.ts';
import { answerCall, type Call, callsIn, createCallContext, createCalls, type Received } from './call.ts';
import { createEventBuffer } from './event-stream.ts';
import { SessionTransport } from './transport.ts';

/** One session of one principal: a server of the SDK with its transport and running calls. */
export interface Session<P extends Principal> {
  readonly id: string;
  readonly principal: P;
  readonly protocolVersion: string;
  readonly running: number;
  readonly isBusy: boolean;
  isRunning(id: RequestId): boolean;
  /** True also if streams cannot be resumed: then the protocol requires that the header is ignored. */
  canResumeAfter(eventId: string): boolean;
  seen(principal: P): void;
  usesGrant(grantId: string): boolean;
  /** Answers checked messages: calls through the surface, all others through the SDK. Fails as `SessionTransport.accept` does. */
  serve(received: Received<P>, response: ServerResponse): void;
  /** Opens the session's own stream, or resumes a stream. Fails as `SessionTransport.listen` does. */
  listen(request: IncomingMessage, response: ServerResponse): void;
  /** Reports changed lists over the stream of the session; without an open stream, when one opens. */
  notifyChangedLists(): void;
  notifyChangedResource(uri: string): void;
  /** Answers running calls and ends streams. Resolves after little more than two seconds at most. */
  end(): Promise<void>;
}

interface SessionOptions<P extends Principal> {
  /** A secret: it identifies the session to its client. */
  id: string;
  options: McpServerOptions<P>;
  limits: McpLimits;
  opener: P;
  protocolVersion: string;
}

/** Long, because a person may have to answer at the client. */
const askTimeoutMs = 10 * 60_000;

/** Opens a session. Its first message must be the `initialize` of its client. */
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
  /** Cancels calls when their client disconnects, unless the client can resume the stream and read the answer later. */
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
        // `readMessage` has checked the shape.
        if (message.kind !== 'request' || !called.has(message.id)) {
          transport.onmessage?.(message.raw as unknown as JSONRPCMessage);
        }
      }
      for (const call of begun) answer(call);
    },
    listen(request, response) {
      // The response of a disconnected client emits no `close`, so its stream would keep the session busy forever.
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
  const settings: SessionSettings = { logLevel: defaultLogLevel, subscriptions: new Set() };
  const known = createKnownLists(surface, opener);
  const events = isResumable(opening) ? createEventBuffer() : null;
  const transport = new SessionTransport({ sessionId: id, events, keepAliveMs: limits.keepAliveMs });
  const logLevel = () => (surface.capabilities.logging === true ? settings.logLevel : null);
  const server: Server = createSdkServer(options, (requestId) => {
    calls.find(requestId)?.giveUp();
    // A cancelled request is not answered (MCP, Cancellation).
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

/** True if clients can resume the streams of a session: from 2025-11-25 on, a stream begins with an event id. */
function isResumable<P extends Principal>({ options, protocolVersion }: SessionOptions<P>): boolean {
  return options.resumption === true && protocolVersion >= '2025-11-25';
}

/**
 * Creates the SDK's server, which answers `initialize`, reads notifications and sends requests. It answers no calls, because
 * its schemas would drop unknown members.
 */
function createSdkServer<P extends Principal>(
  { info, instructions, surface }: McpServerOptions<P>,
  cancel: (id: RequestId) => void,
): Server {
  const capabilities = capabilitiesOf(surface);
  // Otherwise each session would create an Ajv, for a kind of request that this server does not send.
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
  // `onerror` is not set: it reports late answers, and its texts may contain arguments.
  return server;
}

function noValidator(): never {
  throw new Error('Questions to the client are not validated here');
}
