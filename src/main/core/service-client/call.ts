import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { readText } from './read-text.ts';

/** What every call of one client shares. */
export interface CallSettings {
  /** `{base_url}` of the profile, without a slash at its end. */
  baseUrl: string;
  /** The member's access token; asked for anew for every call, never kept or logged. */
  token(): Promise<string>;
  /** From the first byte sent to the last one received. */
  timeoutMs: number;
  logger: Logger;
  /** Told about every call that left, for the state of the service that the window shows. */
  observe?(outcome: CallOutcome): void;
}

/** Whether the service is at work: an answer says so, whatever it is, but a 5xx says the contrary. */
export interface CallOutcome {
  ready: boolean;
  latencyMs: number;
}

export interface Call {
  method: 'GET' | 'PUT';
  /** Below the base, with its query. */
  path: string;
  /** The exact text to send. */
  body?: string;
}

/** An answer of the service, before anyone looked at what it says. */
export interface Answer {
  status: number;
  text: string;
}

/**
 * Makes one request and reads its whole answer. Redirects are never followed: they would carry the token elsewhere.
 * Without an answer, a read fails with `service_unreachable` and a write with `outcome_unknown`.
 */
export async function call(settings: CallSettings, { method, path, body }: Call): Promise<Answer> {
  const { baseUrl, timeoutMs, logger, observe } = settings;
  const headers = { authorization: `Bearer ${await settings.token()}`, accept: 'application/json' };
  const startedAt = performance.now();
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
    const text = await readText(response);
    observe?.({ ready: response.status < 500, latencyMs: performance.now() - startedAt });
    return { status: response.status, text };
  } catch (cause) {
    observe?.({ ready: false, latencyMs: performance.now() - startedAt });
    logger.warn({ method, path: path.split('?')[0], cause }, 'The service gave no answer');
    throw new AppError(method === 'GET' ? 'service_unreachable' : 'outcome_unknown', { cause });
  }
}
