import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { ExactJson } from './rpc-message.ts';
import { toFailure, type Endpoint } from './tool-requests.ts';
import type { RetryTimers } from '../retry.ts';
import { timeoutMessage } from '../rest-requests.ts';

export interface CallProgress {
  progress: number;
  total: number | null;
  message: string | null;
}

export interface CallOptions {
  /** Cancels the call and notifies the service (`notifications/cancelled`). */
  signal?: AbortSignal;
  /** Asks the service for progress. Each report renews the deadline of the call. */
  onProgress?(progress: CallProgress): void;
  timeoutMs?: number;
}

export type ChangedList = 'tools' | 'resources' | 'prompts';

export interface SessionOptions extends Endpoint {
  pauses: RetryTimers;
  timeoutMs: number;
  protocol: ProtocolMemory;
  signal: AbortSignal;
  onListChanged(list: ChangedList): void;
  /** Called when messages may have been missed: every list may have changed. */
  onGap(): void;
  /** Called when the service no longer knows the session. */
  onLost(): void;
}

export type RequestParams = Record<string, JsonValue | ExactJson>;

/** Sessions that begin with `initialize`, or requests without a session (from MCP 2026-07-28 on). */
export type Protocol = 'initialized' | 'stateless';

/** Remembers which protocol the service last spoke; null if that is not known. */
export interface ProtocolMemory {
  read(): Protocol | null;
  write(protocol: Protocol | null): void;
}

export interface Session {
  /** The revision of MCP that both sides speak, for example `2025-11-25`. */
  readonly protocolVersion: string;
  offers(what: 'tools' | 'resources' | 'prompts' | 'completions'): boolean;
  /** Resolves with the full result. Fails with the error of `toFailure`, with `call_cancelled`, or with `SessionUnknown`. */
  request(method: string, params: RequestParams, options: CallOptions): Promise<JsonObject>;
  /** Ends the session and its connections. `announce` also notifies the service. Never fails. */
  end(announce: boolean): Promise<void>;
}

interface TimedRequest {
  method: string;
  clock: Clock;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  closing?: AbortSignal;
  hasEnded(): boolean;
  conceal(text: string): string;
}

/** Runs one request within its deadline. Fails with the error of `toFailure` or of the deadline. */
export async function withRequestDeadline<T>(
  { method, clock, timeoutMs, signal, closing, hasEnded, conceal }: TimedRequest,
  request: (deadline: RequestDeadline) => Promise<T>,
): Promise<T> {
  const deadline = createRequestDeadline({ clock, timeoutMs, cancelled: signal, closing });
  try {
    return await request(deadline);
  } catch (failure) {
    throw deadline.failure() ?? toFailure(failure, { method, ended: hasEnded(), conceal });
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

export const clientInfo = { name: 'countersign', title: 'Countersign', version: '1' };

export interface RequestDeadline {
  signal: AbortSignal;
  /** Restarts the deadline, because the service reported progress. */
  renew(): void;
  failure(): AppError | null;
  end(): void;
}

/** The failure is `call_cancelled`, or `service_unreachable` with `data.sent` if the time ran out. */
function createRequestDeadline({
  clock,
  timeoutMs,
  cancelled,
  closing,
}: {
  clock: Clock;
  timeoutMs: number;
  cancelled: AbortSignal | undefined;
  closing: AbortSignal | undefined;
}): RequestDeadline {
  const controller = new AbortController();
  let failure: AppError | null = null;
  const stop = (why: AppError, words: string): void => {
    failure ??= why;
    controller.abort(words);
  };
  const onTimeout = (): void => {
    const cause = new DOMException('No answer came in time', 'TimeoutError');
    const timeoutFailure = new AppError('service_unreachable', {
      message: timeoutMessage,
      data: { sent: true },
      cause,
    });
    stop(timeoutFailure, 'No answer came in time.');
  };
  const cancel = (): void => stop(new AppError('call_cancelled'), 'The caller no longer waits.');
  // `AbortSignal.any` is several times slower.
  const close = (): void => controller.abort(closing?.reason);
  let cancelTimer = clock.after(timeoutMs, onTimeout);
  if (cancelled?.aborted === true) cancel();
  cancelled?.addEventListener('abort', cancel, { once: true });
  if (closing?.aborted === true) close();
  closing?.addEventListener('abort', close, { once: true });
  return {
    signal: controller.signal,
    renew() {
      cancelTimer();
      if (failure === null) cancelTimer = clock.after(timeoutMs, onTimeout);
    },
    failure: () => failure,
    end() {
      cancelTimer();
      cancelled?.removeEventListener('abort', cancel);
      closing?.removeEventListener('abort', close);
    },
  };
}
