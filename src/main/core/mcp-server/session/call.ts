import type { JSONRPCMessage, LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Message } from '../message.ts';
import { type Method, type MethodCall, type MethodResult, isHeard, isLogLevel } from './methods.ts';
import { type RequestId, rpcCodes, RpcError, rpcErrorMessage, toRpcError } from '../rpc-error.ts';
import type { CallContext, Principal, StatelessClient } from '../surface.ts';

export interface AskedCall<P extends Principal> {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly principal: P;
}

export interface Call<P extends Principal> extends AskedCall<P> {
  readonly isGivenUp: boolean;
  readonly isEnding: boolean;
  /** Aborts when the client gives up the call or its session ends. Created at its first use. */
  readonly signal: AbortSignal;
  /** True once its work has ended: no more notifications are sent for it. */
  isSettled: boolean;
  giveUp(): void;
  /** Signals the work to answer now, because the session ends. */
  hurry(): void;
  /** Fails the call with `session_ended`, because its work did not answer in time. */
  cutShort(): void;
  /** Settles with the work. Fails earlier if the client gives up the call or `cutShort` is called; the work may continue. */
  untilGivenUp<T>(work: Promise<T>): Promise<T>;
}

function createCall<P extends Principal>(asked: AskedCall<P>): Call<P> {
  const given = Promise.withResolvers<never>();
  // Prevents an unhandled rejection: the promise may never be awaited.
  given.promise.catch(() => {});
  let controller: AbortController | null = null;
  let isGivenUp = false;
  let isEnding = false;
  return {
    ...asked,
    isSettled: false,
    get isGivenUp() {
      return isGivenUp;
    },
    get isEnding() {
      return isEnding && !isGivenUp;
    },
    get signal() {
      controller ??= new AbortController();
      if (isGivenUp || isEnding) controller.abort();
      return controller.signal;
    },
    hurry() {
      isEnding = true;
      controller?.abort();
    },
    cutShort: () => given.reject(new AppError('session_ended')),
    giveUp() {
      isGivenUp = true;
      controller?.abort();
      given.reject(new Error('The request was cancelled.'));
    },
    untilGivenUp: (work) => Promise.race([work, given.promise]),
  };
}

export interface Received<P extends Principal> {
  messages: readonly Message[];
  principal: P;
}

/** Time to answer running calls when a session ends. It is short because quitting and the emergency stop wait for it. */
const answerMs = 2_000;

/** The running calls of one session, or all calls without a session. A call runs until its work has ended. */
export function createCalls<P extends Principal>() {
  const running = new Set<Call<P>>();
  const unanswered = new Map<Call<P>, Promise<void>>();
  return {
    running: running as ReadonlySet<Call<P>>,
    find: (id: RequestId): Call<P> | null => [...running].find((call) => call.id === id) ?? null,
    begin(asked: AskedCall<P>): Call<P> {
      const call = createCall(asked);
      running.add(call);
      return call;
    },
    end: (call: Call<P>) => void running.delete(call),
    answering(call: Call<P>, answered: Promise<void>): void {
      unanswered.set(call, answered);
      void answered.finally(() => unanswered.delete(call));
    },
    /** Tells running calls to end. Resolves when all are answered; after two seconds they are answered with `session_ended`. */
    async endAll(isConcerned: (call: Call<P>) => boolean = () => true): Promise<void> {
      const ending = [...unanswered].filter(([call]) => isConcerned(call));
      if (ending.length === 0) return;
      for (const [call] of ending) call.hurry();
      const timer = setTimeout(() => {
        for (const [call] of ending) call.cutShort();
      }, answerMs);
      await Promise.all(ending.map(([, answered]) => answered));
      clearTimeout(timer);
    },
  };
}

/** The requests among these messages except `initialize`, which the SDK answers. */
export function callsIn<P extends Principal>({ messages, principal }: Received<P>): AskedCall<P>[] {
  return messages.flatMap((message) => {
    if (message.kind !== 'request' || message.method === 'initialize') return [];
    const { id, method, params } = message;
    return [{ id, method, params, principal }];
  });
}

interface CallLine {
  sessionId: string;
  client: StatelessClient | null;
  logLevel: () => LoggingLevel | null;
  notify(notification: { method: string; params: JsonObject }): Promise<void>;
  /** Sends a request to the client. Fails if the client does not answer. */
  request(question: { method: string; params: JsonObject }): Promise<JsonObject>;
  closeStream: () => void;
}

/** Sends all notifications of a call over the stream of its answer, and none once the call has settled. */
export function createCallContext<P extends Principal>(call: Call<P>, line: CallLine): CallContext {
  const meta = call.params['_meta'];
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined;
  let latest = Number.NEGATIVE_INFINITY;
  const notify = async (method: string, params: JsonObject): Promise<void> => {
    if (call.isSettled || call.isGivenUp) return;
    const notification = { method, params: { ...params } };
    // A disconnected client misses the notification. The signal of the call reports the disconnect.
    await line.notify(notification).catch(() => {});
  };
  return {
    get signal() {
      return call.signal;
    },
    get isEnding() {
      return call.isEnding;
    },
    sessionId: line.sessionId,
    client: line.client,
    wantsProgress: progressToken !== undefined,
    async progress(progress, total, message) {
      if (progressToken === undefined || !(progress > latest)) return;
      latest = progress;
      const details = {
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      await notify('notifications/progress', { progressToken, progress, ...details });
    },
    async log(level, data, logger) {
      const wanted = line.logLevel();
      if (wanted === null || !isLogLevel(level) || !isHeard(level, wanted)) return;
      await notify('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) });
    },
    ask: (method, params) => ask(line, { method, params }),
    closeStream: line.closeStream,
  };
}

async function ask(
  { request }: Pick<CallLine, 'request'>,
  question: { method: string; params: JsonObject },
): Promise<JsonObject> {
  try {
    return await request(question);
  } catch (cause) {
    throw new AppError('client_unable', {
      message: sentence`The client did not answer ${ownWords(question.method)}.`,
      cause,
    });
  }
}

/** Resolves with the answer to a call, or with null if it is cancelled. Calls `settled` when the work has ended. Never fails. */
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
    return rpcErrorMessage(call.id, toRpcError(failure, { method: call.method, logger }));
  }
}

async function run<P extends Principal>(method: Method | null, asked: MethodCall<P>): Promise<MethodResult> {
  if (method === null) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return method(asked);
}
