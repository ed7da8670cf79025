import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { concealing } from './conceal.ts';
import { outlineOf } from './outline.ts';
import { readText } from './read-text.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { assertSendable } from './sendable.ts';

/** One request, ready to leave. */
export interface Exchange {
  method: 'GET' | 'PUT';
  url: string | URL;
  /** For the log: the address without what is in front of its path, and without its query. */
  path: string;
  headers: Record<string, string>;
  /** The exact text to send. */
  body?: string | undefined;
  /** What opens the service, wherever in the request it stands: it is blanked in everything that comes back as words. */
  credential: string;
  /** From the first byte sent to the last one received. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** An answer of the service, before anyone looked at what it says. */
export interface Answer {
  status: number;
  text: string;
  /** The pause that it asks for. */
  retryAfterSeconds: number | null;
  /** Blanks the credential of the request in the service's words. */
  conceal(text: string): string;
}

/** What came of a request that left: `status` is null where no answer came. */
export interface Seen {
  status: number | null;
  latencyMs: number;
  retryAfterSeconds: number | null;
}

export interface ExchangeSettings {
  logger: Logger;
  onSeen?(seen: Seen): void;
}

/**
 * Makes one request and reads its whole answer. Redirects are never followed: they would carry the credential elsewhere.
 * Without an answer, a read fails with `service_unreachable` and a write with `outcome_unknown`; with `credential_missing` a
 * credential that cannot be sent. Whoever aborts gets the reason of the signal back, and nothing is said about the service.
 */
export async function exchange(
  { logger, onSeen }: ExchangeSettings,
  { credential, ...request }: Exchange,
): Promise<Answer> {
  assertSendable(credential);
  const { method, path, signal } = request;
  const conceal = concealing(credential);
  const startedAt = performance.now();
  let answer;
  try {
    answer = await receive(request);
  } catch (failure) {
    if (signal?.aborted === true) throw signal.reason;
    onSeen?.({ status: null, latencyMs: performance.now() - startedAt, retryAfterSeconds: null });
    const cause = outlineOf(failure, conceal);
    logger.warn({ method, path, cause }, 'The service gave no answer');
    throw new AppError(method === 'GET' ? 'service_unreachable' : 'outcome_unknown', { cause });
  }
  const { status, retryAfterSeconds: pause } = answer;
  onSeen?.({ status, latencyMs: performance.now() - startedAt, retryAfterSeconds: pause });
  return { ...answer, conceal };
}

async function receive({
  url,
  method,
  headers,
  body,
  timeoutMs,
  signal,
}: Omit<Exchange, 'credential'>): Promise<Omit<Answer, 'conceal'>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(body === undefined ? { headers } : sentOnce(body, headers)),
  });
  return {
    status: response.status,
    text: await readText(response),
    retryAfterSeconds: retryAfterSeconds(response.headers),
  };
}

/**
 * The body of a request that leaves once. A text is sent a second time by `fetch` itself where a 421 answers the first (Fetch,
 * HTTP-network-or-cache fetch); a stream is not.
 */
function sentOnce(body: string, headers: Record<string, string>): RequestInit {
  const bytes = new TextEncoder().encode(body);
  return {
    // Whole and closed from the beginning: where the answer comes before the end was seen, the connection is not used again.
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    }),
    duplex: 'half',
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
  };
}
