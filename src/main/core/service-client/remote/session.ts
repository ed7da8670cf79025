import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { ExactJson } from './rpc-message.ts';
import { readFailure, type Endpoint } from './tool-requests.ts';
import type { Pauses } from '../retry.ts';
import { lateWords } from '../rest-requests.ts';

export interface CallProgress {
  progress: number;
  total: number | null;
  message: string | null;
}

export interface CallOptions {
  /** Cancels the call here and tells the service (`notifications/cancelled`). */
  signal?: AbortSignal;
  /** Asks for progress, which also keeps the call's time from running out. */
  onProgress?(progress: CallProgress): void;
  timeoutMs?: number;
}

export type ChangedList = 'tools' | 'resources' | 'prompts';

export interface SessionOptions extends Endpoint {
  pauses: Pauses;
  timeoutMs: number;
  protocol: ProtocolMemory;
  /** Ends the beginning of a session that no caller waits for any more. */
  signal: AbortSignal;
  onListChanged(list: ChangedList): void;
  /** Every list may have changed: messages may have been missed. */
  onGap(): void;
  /** The service does not know this session any more. */
  onLost(): void;
}

export type RequestParams = Record<string, JsonValue | ExactJson>;

/** The two ways in which services speak MCP: with sessions that begin with `initialize`, or without (from 2026-07-28 on). */
export type Protocol = 'initialized' | 'stateless';

/** Remembers which protocol a service last spoke; null if that is not known. */
export interface ProtocolMemory {
  read(): Protocol | null;
  write(protocol: Protocol | null): void;
}

/** A connection with the service. Services without sessions keep no state of it. */
export interface Session {
  /** The revision of MCP that both sides speak, for example `2025-11-25`. */
  readonly protocolVersion: string;
  /** True if the service announced these. */
  offers(what: 'tools' | 'resources' | 'prompts' | 'completions'): boolean;
  /** The whole result. Fails as `readFailure` says, with `call_cancelled`, or with `SessionUnknown`. */
  request(method: string, params: RequestParams, options: CallOptions): Promise<JsonObject>;
  /** Ends it, with `announce` at the service too, and lets every connection go. Never fails. */
  end(announce: boolean): Promise<void>;
}

/** One request, for its deadline and its failure. */
interface TimedRequest {
  method: string;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  hasEnded(): boolean;
  conceal(text: string): string;
}

/** Makes one request within its time. Fails as `readFailure` says, or with the reason why the waiting ended. */
export async function withinTime<T>(
  { method, clock, timeoutMs, signal, hasEnded, conceal }: TimedRequest,
  request: (deadline: RequestDeadline) => Promise<T>,
): Promise<T> {
  const deadline = createRequestDeadline(clock, timeoutMs, signal);
  try {
    return await request(deadline);
  } catch (failure) {
    throw deadline.failure() ?? readFailure(failure, { method, ended: hasEnded(), conceal });
  } finally {
    deadline.end();
  }
}

const changedLists: Readonly<Record<string, ChangedList>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
};

/** The list that a notification of this method reports as changed; null for another method. */
export function changedListOf(method: unknown): ChangedList | null {
  if (typeof method !== 'string' || !Object.hasOwn(changedLists, method)) return null;
  return changedLists[method] ?? null;
}

/** The client as services see it. */
export const clientInfo = { name: 'countersign', title: 'Countersign', version: '1' };

/** Waiting for one request: until its deadline or its caller's cancellation. */
export interface RequestDeadline {
  /** Aborts with the end of the waiting. */
  signal: AbortSignal;
  /** Something was heard of the request: its time begins anew. */
  renew(): void;
  /** The reason why the waiting ended; null while it goes on. */
  failure(): AppError | null;
  /** Ends the timer; called whatever came of the request. */
  end(): void;
}

/** Begins to wait. The failure is `call_cancelled`, or `service_unreachable` with `data.sent` when the time was up. */
function createRequestDeadline(clock: Clock, timeoutMs: number, cancelled?: AbortSignal): RequestDeadline {
  const controller = new AbortController();
  let failure: AppError | null = null;
  const stop = (why: AppError, words: string): void => {
    failure ??= why;
    controller.abort(words);
  };
  const timeUp = (): void => {
    const cause = new DOMException('No answer came in time', 'TimeoutError');
    const late = new AppError('service_unreachable', { message: lateWords, data: { sent: true }, cause });
    stop(late, 'No answer came in time.');
  };
  const cancel = (): void => stop(new AppError('call_cancelled'), 'The caller no longer waits.');
  let cancelTimer = clock.after(timeoutMs, timeUp);
  if (cancelled?.aborted === true) cancel();
  cancelled?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    renew() {
      cancelTimer();
      if (failure === null) cancelTimer = clock.after(timeoutMs, timeUp);
    },
    failure: () => failure,
    end() {
      cancelTimer();
      cancelled?.removeEventListener('abort', cancel);
    },
  };
}
