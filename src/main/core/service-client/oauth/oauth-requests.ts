import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { AppError, parseStrictJson, type ErrorCode } from '#shared/errors/index.ts';
import { publicAddresses, systemLookup, type Lookup } from '#system/http/public-address.ts';
import { requestText, RequestFailure, withDeadline } from '#system/http/request.ts';
import type { UrlPolicy } from './url-policy.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { z } from 'zod';
import { foreignWords } from '../answers.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import { retryAfterSeconds } from '../rest-requests.ts';

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

/** `service_unreachable` or the fault of the network, and in `data.sent` whether the request may have been received. */
export function noAnswer(host: string, { sent, cause }: { sent: boolean; cause: unknown }): AppError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const code = noAnswerCode(cause);
  if (code !== 'service_unreachable') return new AppError(code, { data: { sent }, cause });
  return new AppError(code, {
    message: isLate ? sentence`${host} did not answer in time.` : sentence`${host} cannot be reached.`,
    data: { sent },
    cause,
  });
}

/**
 * True when the failed request certainly never reached the server, so that what it carried is unused. False when it may have
 * been received, whatever came of it.
 */
export function wasNeverSent(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === false;
}

/** The refusal of a redirect, which may carry a credential elsewhere. */
function redirected(host: string): AppError {
  return new AppError('address_refused', {
    message: sentence`The service at ${host} redirects elsewhere. Countersign does not follow.`,
    data: { sent: true },
  });
}

const statusCodes: Partial<Record<number, ErrorCode>> = {
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/**
 * Failure that a status means for the whole service, whatever was asked (contract §7.3), with `data.retryAfterSeconds` if it
 * asks for a pause; null if it means none.
 */
export function statusRefusal({ status, headers }: Response, host: string): AppError | null {
  const code = statusCodes[status] ?? (status >= 500 ? 'service_failed' : null);
  if (code === null) return null;
  const seconds = retryAfterSeconds(headers);
  return new AppError(code, {
    data: { status, host, sent: true, ...(seconds === null ? {} : { retryAfterSeconds: seconds }) },
  });
}

const refusalSchema = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
});

/** An authorization server's refusal, in its own words (RFC 6749 §5.2, RFC 7591 §3.2.2). */
interface OAuthRefusal {
  /** The `error` for programs; empty where the answer names none. Inert. */
  error: string;
  /** For people, as they came; empty where there are none. */
  words: string;
}

/** Reads a refusing body; one that is none says nothing. `conceal` blanks what the request carried. */
export function readRefusal(text: string, conceal = (words: string): string => words): OAuthRefusal {
  let value;
  try {
    value = parseStrictJson(text);
  } catch {
    return { error: '', words: '' };
  }
  const { data } = refusalSchema.safeParse(value);
  if (data === undefined) return { error: '', words: '' };
  const { error, error_description: description } = data;
  return refusalIn(conceal(error), description === undefined ? description : conceal(description));
}

/** The refusal in these two words, wherever they came from. */
export function refusalIn(error: string, description: string | null | undefined): OAuthRefusal {
  const words = description?.trim() ? description : error;
  return { error: foreignWords(error), words };
}

/** Error codes for a client that the server does not know, or no longer (RFC 6749 §4.1.2.1, §5.2). */
const clientUnknown: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** True for a failure whose `data.error` says that the server does not know the client: another registration may help. */
export function tellsClientUnknown(failure: unknown): boolean {
  return failure instanceof AppError && clientUnknown.includes(failure.data['error']);
}
