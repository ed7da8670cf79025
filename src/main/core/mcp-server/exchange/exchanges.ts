import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { metaKeys } from '#core/platform/mcp-envelope.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { textOf } from '../message.ts';
import { answerJson, rpcCodes, RpcError, type RequestId, statusOf } from '../rpc-error.ts';
import { answerCall, type Call, createCallContext, createCalls } from '../session/call.ts';
import { endUnread, openEventStream, type EventStream } from '../session/event-stream.ts';
import { isLogLevel, defaultLogLevel } from '../session/methods.ts';
import type { McpLimits, McpServerOptions, Principal, StatelessClient } from '../surface.ts';
import { checkParameterHeaders, readCapabilities } from './envelope.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createExchangeMethods } from './methods.ts';

interface AskedExchange<P extends Principal> {
  principal: P;
  id: RequestId;
  method: string;
  params: JsonObject;
}

/** Answers the requests of revision 2026-07-28, each without a session (docs/decisions/0062). */
export interface Exchanges<P extends Principal> extends AsyncDisposable, Pick<Listeners<P>, 'listsChanged'> {
  /** Checks the envelope and the headers of a request. Fails with an `RpcError`. */
  check(request: IncomingMessage, asked: AskedExchange<P>): StatelessClient;
  /** Answers a checked and admitted request. Fails with `quota_exceeded`, `shutting_down` or an `RpcError`. */
  serve(asked: AskedExchange<P>, client: StatelessClient, response: ServerResponse): void;
  endGrant(grantId: string): void;
  /** The keys of principals with an open stream, or with a request in the last five minutes. */
  present(): Iterable<string>;
}

/** An answer within this time is sent as JSON rather than as a stream. */
const heldMs = 25;

/** A principal counts as present for this time after its latest request, because it has no session. */
const presentMs = 5 * 60_000;

export function createExchanges<P extends Principal>(
  options: McpServerOptions<P>,
  limits: McpLimits,
): Exchanges<P> {
  const { surface, clock, logger, onSessions } = options;
  const calls = createCalls<P>();
  const listeners = createListeners(options, limits);
  const methods = createExchangeMethods(options);
  const latest = new Map<string, { grantId: string | null; atMs: number }>();
  let isEnded = false;

  function saw({ key, grantId }: P): void {
    const isNew = !latest.has(key);
    latest.set(key, { grantId, atMs: clock.monotonicMs() });
    if (!isNew) return;
    onSessions?.();
    forgetLater(key, presentMs);
  }

  function forgetLater(key: string, afterMs: number): void {
    clock.after(afterMs, () => {
      const seen = latest.get(key);
      if (seen === undefined) return;
      const leftMs = seen.atMs + presentMs - clock.monotonicMs();
      if (leftMs > 0) {
        forgetLater(key, leftMs);
        return;
      }
      latest.delete(key);
      if (!isEnded) onSessions?.();
    });
  }

  function checkRunning(principal: P): void {
    const max = limits.maxCallsPerSession;
    const running = [...calls.running].filter((call) => call.principal.key === principal.key);
    if (running.length < max) return;
    throw new AppError('quota_exceeded', {
      message: sentence`An agent runs at most ${max} requests at once.`,
      data: { retryAfterSeconds: 1 },
    });
  }

  function contextOf(call: Call<P>, client: StatelessClient, answer: Answer) {
    const { [metaKeys.logLevel]: level } = client.params['_meta'] as JsonObject;
    const logLevel = surface.capabilities.logging === true && isLogLevel(level) ? level : null;
    return createCallContext(call, {
      sessionId: `principal:${call.principal.key}`,
      client,
      logLevel: () => logLevel,
      notify: async (notification) => answer.report({ jsonrpc: '2.0', ...notification }),
      request: () => Promise.reject(new Error('A server of this revision asks nothing')),
      closeStream() {},
    });
  }

  return {
    check(request, { principal, method, params }) {
      const capabilities = readCapabilities(request, { method, params });
      if (method === 'tools/call') {
        const { name, arguments: args } = params;
        const tool = surface.listTools(principal).find((listed) => listed.name === name);
        if (tool !== undefined && isJsonObject(args)) checkParameterHeaders(request, tool.inputSchema, args);
      }
      return { capabilities, params };
    },
    serve(asked, client, response) {
      if (isEnded) throw new AppError('shutting_down');
      const { principal, method } = asked;
      saw(principal);
      if (method === 'subscriptions/listen') {
        listeners.open(asked, client, response);
        return;
      }
      const answers = methods.find(method);
      if (answers === null) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
      checkRunning(principal);
      const call = calls.begin(asked);
      const answer = openAnswer(response, limits.keepAliveMs, () => call.giveUp());
      const context = contextOf(call, client, answer);
      const { params } = asked;
      const settings = { logLevel: defaultLogLevel, subscriptions: new Set<string>() };
      const answered = answerCall(call, {
        method: answers,
        asked: { surface, principal, params, context, settings, known: null, maxSubscriptions: 0 },
        logger,
        settled: () => calls.end(call),
      })
        .then((message) => {
          if (message !== null) answer.end(message, 'error' in message ? statusOf(message.error.code) : null);
        })
        .catch((err: unknown) => {
          logger.error({ err, method }, 'An MCP request could not be answered');
          response.destroy();
        });
      calls.answering(call, answered);
    },
    listsChanged: listeners.listsChanged,
    endGrant(grantId) {
      for (const [key, seen] of latest) if (seen.grantId === grantId) latest.delete(key);
      void calls.endAll((call) => call.principal.grantId === grantId);
      listeners.end((principal) => principal.grantId === grantId);
    },
    present: () => [...latest.keys(), ...listeners.keys()],
    async dispose() {
      isEnded = true;
      listeners.end(() => true);
      await calls.endAll();
    },
  };
}

/** One HTTP answer: JSON if it comes soon and without a notification, otherwise a stream with keep-alive comments. */
interface Answer {
  report(message: object): void;
  end(message: object, status: number | null): void;
}

function openAnswer(response: ServerResponse, keepAliveMs: number, onLeft: () => void): Answer {
  let stream: EventStream | null = null;
  const open = (): EventStream =>
    (stream ??= openEventStream(response, { sessionId: null, keepAliveMs, heldMs: 0, onEnd() {} }));
  const opening = setTimeout(open, heldMs);
  const left = (): void => {
    clearTimeout(opening);
    if (!response.writableFinished) onLeft();
  };
  response.once('close', left);
  // The response of a client that has already disconnected emits no `close`.
  if (response.destroyed) left();
  return {
    report(message) {
      if (!response.destroyed) open().write(JSON.stringify(message));
    },
    end(message, status) {
      clearTimeout(opening);
      if (response.destroyed) return;
      if (stream === null) {
        answerJson(response, status ?? 200, textOf(message));
        endUnread(response, keepAliveMs);
      } else {
        stream.write(textOf(message));
        stream.end();
      }
    },
  };
}
