import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type ExactJson, readFailure, type Endpoint } from './tool-requests.ts';
import type { Pauses } from '../retry.ts';
import { lateWords } from '../rest-requests.ts';
import { ServiceTransport } from './transport.ts';

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

export interface RemoteServerInfo {
  name: string;
  version: string;
  protocolVersion: string;
  instructions: string | null;
}

export interface SessionOptions extends Endpoint {
  pauses: Pauses;
  timeoutMs: number;
  /** Ends an `initialize` that no caller waits for any more. */
  signal: AbortSignal;
  onListChanged(list: ChangedList): void;
  /** Every list may have changed: messages may have been missed. */
  onGap(): void;
  /** The service does not know this session any more. */
  onLost(): void;
}

export type RequestParams = Record<string, JsonValue | ExactJson>;

/** One session with the service, from `initialize` to its end. */
export interface Session {
  readonly info: RemoteServerInfo;
  /** True if the service announced these. */
  offers(what: 'tools' | 'resources' | 'prompts' | 'completions'): boolean;
  /** The whole result. Fails as `readFailure` says, with `call_cancelled`, or with `SessionUnknown`. */
  request(method: string, params: RequestParams, options: CallOptions): Promise<JsonObject>;
  /** Ends it, with `announce` at the service too, and lets every connection go. Never fails. */
  end(announce: boolean): Promise<void>;
}

/** Setting a timer for longer than this would set it off at once; our own clock ends a request long before. */
const neverMs = 2 ** 31 - 1;
/** The service hears of the end of a session within this time or not at all, in milliseconds. */
const farewellMs = 2_000;

const wholeResult = z.custom<JsonObject>(isJsonObject);

const changedLists: Readonly<Record<string, ChangedList>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
};

/** Begins a session without any capability: elicitation is no way to confirm. Fails as the requests do. */
export async function beginSession(options: SessionOptions): Promise<Session> {
  const { pauses, logger, onListChanged } = options;
  const transport = new ServiceTransport({ ...options, onSessionLost: options.onLost });
  const client = new Client(
    { name: 'countersign', title: 'Countersign', version: '1' },
    { capabilities: {} },
  );
  client.fallbackNotificationHandler = async ({ method }) => {
    const list = Object.hasOwn(changedLists, method) ? changedLists[method] : undefined;
    if (list !== undefined) onListChanged(list);
  };
  let isEnded = false;

  /** Makes one request within its time. Fails as `readFailure` says, or with the reason why the waiting ended. */
  async function inTime<T>(
    { method, timeoutMs, signal }: { method: string; timeoutMs: number; signal: AbortSignal | undefined },
    request: (deadline: RequestDeadline) => Promise<T>,
  ): Promise<T> {
    const deadline = createRequestDeadline(pauses.clock, timeoutMs, signal);
    try {
      return await request(deadline);
    } catch (failure) {
      const asked = { method, ended: isEnded, conceal: transport.conceal };
      throw deadline.failure() ?? readFailure(failure, asked);
    } finally {
      deadline.end();
    }
  }

  try {
    await inTime({ ...options, method: 'initialize' }, ({ signal }) =>
      client.connect(transport, { signal, timeout: neverMs }),
    );
  } catch (failure) {
    await transport.close();
    throw failure;
  }
  return {
    get info() {
      return infoOf(client, transport);
    },
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
    request: (method, params, { signal, onProgress, timeoutMs = options.timeoutMs }) =>
      inTime({ method, timeoutMs, signal }, (deadline) => {
        const onprogress = ({ progress, total, message }: Progress): void => {
          deadline.renew();
          onProgress?.({ progress, total: total ?? null, message: message ?? null });
        };
        return client.request({ method, params }, wholeResult, {
          signal: deadline.signal,
          timeout: neverMs,
          ...(onProgress === undefined ? {} : { onprogress }),
        });
      }),
    async end(announce) {
      if (isEnded) return;
      isEnded = true;
      if (announce) await announceEnd(transport, logger);
      await client.close();
      await transport.close();
    },
  };
}

interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

function infoOf(client: Client, { protocolVersion }: ServiceTransport): RemoteServerInfo {
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  return {
    name,
    version,
    protocolVersion: protocolVersion ?? '',
    instructions: client.getInstructions() ?? null,
  };
}

/** Bounded as a whole: also the access may be slow to come. */
async function announceEnd(transport: ServiceTransport, logger: Logger): Promise<void> {
  const signal = AbortSignal.timeout(farewellMs);
  const late = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const said = transport.endSession(signal).catch((failure: unknown) => {
    logger.info(
      { failure: failure instanceof Error ? failure.name : 'unknown' },
      'A session did not end well',
    );
  });
  await Promise.race([said, late]);
}

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
