import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { Logger } from '#core/platform/logger.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import {
  changedListOf,
  clientInfo,
  type RequestDeadline,
  type Session,
  type SessionOptions,
  withRequestDeadline,
} from './session.ts';
import { ServiceTransport } from './transport.ts';

/** The longest delay of a timer; a longer one would fire at once. The deadline of a request comes long before. */
const maxTimerMs = 2 ** 31 - 1;
const endTimeoutMs = 2_000;

const wholeResult = z.custom<JsonObject>(isJsonObject);

/**
 * Begins a session with `initialize` (MCP 2025-11-25 and older). It declares no capability: a person must not confirm changes
 * by elicitation. Fails as the requests do.
 */
export async function beginInitializedSession(options: SessionOptions): Promise<Session> {
  const { pauses, logger, onListChanged } = options;
  const transport = new ServiceTransport({ ...options, onSessionLost: options.onLost });
  const client = new Client(clientInfo, { capabilities: {} });
  client.fallbackNotificationHandler = async ({ method }) => {
    const list = changedListOf(method);
    if (list !== null) onListChanged(list);
  };
  let isEnded = false;

  const inTime = <T>(
    asked: { method: string; timeoutMs: number; signal: AbortSignal | undefined },
    request: (deadline: RequestDeadline) => Promise<T>,
  ): Promise<T> =>
    withRequestDeadline(
      {
        ...asked,
        clock: pauses.clock,
        hasEnded: () => isEnded,
        conceal: (text) => transport.conceal(text),
      },
      request,
    );

  try {
    await inTime(
      { method: 'initialize', timeoutMs: options.timeoutMs, signal: options.signal },
      ({ signal }) => client.connect(transport, { signal, timeout: maxTimerMs }),
    );
  } catch (failure) {
    await transport.close();
    throw failure;
  }
  return {
    protocolVersion: transport.protocolVersion ?? '',
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
    request: (method, params, { signal, onProgress, timeoutMs = options.timeoutMs }) =>
      inTime({ method, timeoutMs, signal }, (deadline) => {
        const onprogress = ({ progress, total, message }: Progress): void => {
          deadline.renew();
          onProgress?.({ progress, total: total ?? null, message: message ?? null });
        };
        return client.request({ method, params }, wholeResult, {
          signal: deadline.signal,
          timeout: maxTimerMs,
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

/** Limits the total time, because getting the token may take long, too. */
async function announceEnd(transport: ServiceTransport, logger: Logger): Promise<void> {
  const signal = AbortSignal.timeout(endTimeoutMs);
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
