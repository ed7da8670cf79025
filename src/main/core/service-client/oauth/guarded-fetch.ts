import { lookup as systemLookup } from 'node:dns/promises';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { retryAfterSeconds } from '../retry-after.ts';
import type { UrlPolicy } from '../url-policy.ts';
import { noAnswer } from './no-answer.ts';
import { isPublicAddress } from './public-address.ts';
import { sendOnce } from './send-once.ts';

/** Every numeric address of a name. Rejects where there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface GuardedFetchOptions {
  policy: UrlPolicy;
  /** From the look-up of the name to the last byte of the answer, in milliseconds. */
  timeoutMs: number;
  /** Cancels: rejects with its reason. */
  signal?: AbortSignal;
  /** Of the operating system, unless a test brings its own. */
  lookup?: Lookup;
}

export interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | URLSearchParams | null | undefined;
  signal?: AbortSignal;
}

/** Fits `[customFetch]` of oauth4webapi. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<Response>;

/**
 * The one way to an address out of a discovery document. The policy is asked again; a name that the person did not configure
 * must resolve to public addresses alone, and exactly those are then used; a redirect is refused, never followed. The answer
 * is read whole before it is handed on; an empty text stands for one that is too large (1 MB) or not UTF-8.
 *
 * Fails with `address_refused` or `service_unreachable`; `wasNeverSent` tells whether the request certainly stayed here.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, timeoutMs, lookup = lookupAll } = options;
  return async (text, { method, headers, body, signal: requestSignal }) => {
    const url = policy.check(text, 'the address of a request');
    const cancels = [options.signal, requestSignal].filter((signal) => signal !== undefined);
    for (const cancel of cancels) cancel.throwIfAborted();
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...cancels]);
    let answer;
    try {
      const addresses = policy.isConfigured(url) ? null : await publicAddresses(url, lookup, signal);
      answer = await sendOnce({ url, method, headers, body: body?.toString() ?? null, addresses, signal });
    } catch (failure) {
      for (const cancel of cancels) cancel.throwIfAborted();
      throw failure;
    }
    if (redirects.has(answer.status)) throw redirected(url.host);
    return answer;
  };
}

/** A guarded fetch whose answers with 421, 429 or 5xx fail as {@link statusRefusal} says: for the requests of oauth4webapi. */
export function refusingFetch(guarded: GuardedFetch): GuardedFetch {
  return async (url, request) => {
    const answer = await guarded(url, request);
    const refusal = statusRefusal(answer, new URL(url).host);
    if (refusal !== null) throw refusal;
    return answer;
  };
}

const statusCodes: Partial<Record<number, ErrorCode>> = {
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/**
 * What a status says about the whole service, whatever was asked (contract §7.3), with `data.retryAfterSeconds` where it asks
 * for a pause; null where it says nothing of that kind.
 */
export function statusRefusal({ status, headers }: Response, host: string): AppError | null {
  const code = statusCodes[status] ?? (status >= 500 ? 'service_failed' : null);
  if (code === null) return null;
  const seconds = retryAfterSeconds(headers);
  return new AppError(code, {
    data: { status, host, sent: true, ...(seconds === null ? {} : { retryAfterSeconds: seconds }) },
  });
}

/** Statuses that send a client elsewhere. */
const redirects = new Set([301, 302, 303, 307, 308]);

function redirected(host: string): AppError {
  return new AppError('address_refused', {
    message: `The service at ${host} redirects elsewhere. Countersign does not follow.`,
    data: { sent: true },
  });
}

async function publicAddresses(
  { hostname, host }: URL,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let addresses;
  try {
    addresses = await untilAborted(lookup(hostname), signal);
  } catch (cause) {
    throw noAnswer(host, { sent: false, cause });
  }
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return addresses;
  throw new AppError('address_refused', {
    message: `The name ${host} leads into a private network. Nothing was sent there.`,
    data: { sent: false },
  });
}

async function lookupAll(hostname: string): Promise<string[]> {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** A look-up cannot be stopped, only left alone. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
