import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { AppError } from '#shared/errors/index.ts';
import { publicAddresses, systemLookup, type Lookup } from '#system/http/public-address.ts';
import { requestText, RequestFailure, withDeadline } from '#system/http/request.ts';
import { noAnswer, redirected, statusRefusal } from './failures.ts';
import type { UrlPolicy } from './url-policy.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The largest answer of an authorization server that is read, in bytes. */
export const maxDocumentBytes = 1024 * 1024;

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
 * Makes every request to an address out of a discovery document. The policy is checked again; a name that the user did not
 * configure must resolve to public addresses alone, and exactly those are then used, over a connection that no other request
 * uses. The answer is complete when it is handed on; an empty text stands for one that is too large
 * ({@link maxDocumentBytes}) or not UTF-8.
 *
 * Fails with `address_refused`, also for a redirect, or `service_unreachable`; `wasNeverSent` tells whether the request
 * certainly stayed here.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, timeoutMs, lookup = systemLookup } = options;
  return async (text, { signal: requestSignal, ...request }) => {
    const url = policy.check(text, 'the address of a request');
    const cancels = [options.signal, requestSignal];
    for (const cancel of cancels) cancel?.throwIfAborted();
    const signal = withDeadline(timeoutMs, ...cancels);
    try {
      const addresses = policy.isConfigured(url) ? null : await lookedUp(url, lookup, signal);
      return await sendAlone(url, { ...request, addresses, signal });
    } catch (failure) {
      for (const cancel of cancels) cancel?.throwIfAborted();
      throw failure;
    }
  };
}

async function lookedUp({ hostname, host }: URL, lookup: Lookup, signal: AbortSignal): Promise<string[]> {
  let addresses;
  try {
    addresses = await publicAddresses(hostname, lookup, signal);
  } catch (cause) {
    throw noAnswer(host, { sent: false, cause });
  }
  if (addresses !== null) return addresses;
  throw new AppError('address_refused', {
    message: sentence`The name ${host} leads into a private network. Nothing was sent there.`,
    data: { sent: false },
  });
}

async function sendAlone(
  url: URL,
  { body, ...request }: GuardedRequest & { addresses: string[] | null; signal: AbortSignal },
): Promise<Response> {
  const sent = { url, ...request, body: body?.toString(), ownConnection: true, credential: null };
  try {
    const { status, headers, text } = await requestText(sent, maxDocumentBytes);
    const hasBody = status !== 204 && status !== 205 && status !== 304;
    return new Response(hasBody ? text : null, { status, headers: [...headers] });
  } catch (failure) {
    if (!(failure instanceof RequestFailure)) throw failure;
    throw failure.isRedirect ? redirected(url.host) : noAnswer(url.host, failure);
  }
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

/** Options of every request to an authorization server through oauth4webapi. */
export interface ServerRequests {
  [customFetch]: GuardedFetch;
  [allowInsecureRequests]: true;
}

/**
 * Requests that the policy guards. The library's own rule (https and nothing else) gives way to it: the policy also knows
 * the loopback that the person configured.
 */
export function serverRequests(options: {
  policy: UrlPolicy;
  timeoutMs: number;
  signal?: AbortSignal;
}): ServerRequests {
  return { [customFetch]: refusingFetch(createGuardedFetch(options)), [allowInsecureRequests]: true };
}
