import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { AppError, type ErrorCode, parseStrictJson } from '#shared/errors/index.ts';
import { type Lookup, isLoopback, publicAddresses, systemLookup } from '#system/http/public-address.ts';
import { RequestFailure, requestText, withDeadline } from '#system/http/request.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import { z } from 'zod';
import { escapeServiceText, quoteServiceText, retryAfterSeconds } from '../answers.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import { isPublicName } from '#shared/lib/web-address.ts';

export const maxDocumentBytes = 1024 * 1024;

export interface GuardedFetchOptions {
  policy: UrlPolicy;
  /** Milliseconds from the DNS lookup to the last byte of the answer. */
  timeoutMs: number;
  signal?: AbortSignal;
  lookup?: Lookup;
}

interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | URLSearchParams | null | undefined;
  signal?: AbortSignal;
}

/** Usable as `[customFetch]` of oauth4webapi. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<Response>;

/**
 * Creates the fetch for addresses from documents. Each request checks the policy again. A host that the user did not
 * configure must resolve to public addresses only, and the request connects only to these, over its own connection. The text
 * is empty if it is too large or not UTF-8. Fails with `address_refused`, also for a redirect, or as a network error; see
 * `wasNeverSent`.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { policy, timeoutMs, lookup = systemLookup } = options;
  return async (text, { signal: requestSignal, ...request }) => {
    const url = policy.check(text, 'the address of a request');
    const cancels = [options.signal, requestSignal];
    for (const cancel of cancels) cancel?.throwIfAborted();
    try {
      return await withDeadline(timeoutMs, cancels, async (signal) => {
        const addresses = policy.isConfigured(url) ? null : await resolvePublicAddresses(url, lookup, signal);
        return sendOnOwnConnection(url, { ...request, addresses, signal });
      });
    } catch (failure) {
      for (const cancel of cancels) cancel?.throwIfAborted();
      throw failure;
    }
  };
}

async function resolvePublicAddresses(
  { hostname, host }: URL,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<string[]> {
  let addresses;
  try {
    addresses = await publicAddresses(hostname, lookup, signal);
  } catch (cause) {
    throw noAnswerError(host, { sent: false, cause });
  }
  if (addresses !== null) return addresses;
  throw new AppError('address_refused', {
    message: sentence`The name ${host} leads into a private network. Nothing was sent there.`,
    data: { sent: false },
  });
}

async function sendOnOwnConnection(
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
    throw failure.isRedirect ? redirectError(url.host) : noAnswerError(url.host, failure);
  }
}

/** A guarded fetch for oauth4webapi. Answers with 421, 429 or 5xx fail as in {@link statusRefusal}. */
export function refusingFetch(guarded: GuardedFetch): GuardedFetch {
  return async (url, request) => {
    const answer = await guarded(url, request);
    const refusal = statusRefusal(answer, new URL(url).host);
    if (refusal !== null) throw refusal;
    return answer;
  };
}

export interface ServerRequests {
  [customFetch]: GuardedFetch;
  [allowInsecureRequests]: true;
}

/** Request options in which our policy replaces the library's own rule (https only). */
export function serverRequests(options: {
  policy: UrlPolicy;
  timeoutMs: number;
  signal?: AbortSignal;
}): ServerRequests {
  return { [customFetch]: refusingFetch(createGuardedFetch(options)), [allowInsecureRequests]: true };
}

/** `service_unreachable` or a network error. `data.sent` is true if the server may have received the request. */
export function noAnswerError(host: string, { sent, cause }: { sent: boolean; cause: unknown }): AppError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const code = noAnswerCode(cause);
  if (code !== 'service_unreachable') return new AppError(code, { data: { sent }, cause });
  return new AppError(code, {
    message: isLate ? sentence`${host} did not answer in time.` : sentence`${host} cannot be reached.`,
    data: { sent },
    cause,
  });
}

/** True if the failed request certainly never reached the server, so that its code or token is unused. */
export function wasNeverSent(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === false;
}

function redirectError(host: string): AppError {
  return new AppError('address_refused', {
    message: sentence`The service at ${host} redirects elsewhere. Countersign does not follow.`,
    data: { sent: true },
  });
}

const codeByStatus: Partial<Record<number, ErrorCode>> = {
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** The failure that a status means for the service as a whole (contract §7.3), or null. */
export function statusRefusal({ status, headers }: Response, host: string): AppError | null {
  const code = codeByStatus[status] ?? (status >= 500 ? 'service_failed' : null);
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

interface OAuthRefusal {
  error: string;
  /** Untrusted text for display: the server's error description; empty if it sent none. */
  words: string;
}

/** Reads the body of a refusal; empty texts if it is not valid. `conceal` masks the secrets of the request. */
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
  return toRefusal(conceal(error), description === undefined ? description : conceal(description));
}

export function toRefusal(error: string, description: string | null | undefined): OAuthRefusal {
  const words = description?.trim() ? description : error;
  return { error: escapeServiceText(error), words };
}

/** Error codes for a client that the server does not know or has forgotten (RFC 6749 §4.1.2.1, §5.2). */
const unknownClientErrors: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** True if `data.error` means that the server does not know the client. A new registration may help. */
export function isClientUnknown(failure: unknown): boolean {
  return failure instanceof AppError && unknownClientErrors.includes(failure.data['error']);
}

/** Requirements on every address from a service's documents before it is fetched or opened. */
export interface UrlPolicy {
  /** Returns the address as it will be used. Fails with `address_refused` and `data.sent: false`. */
  check(text: unknown, field: string): URL;
  /** True for the host that the person configured, whatever it resolves to. */
  isConfigured(url: URL): boolean;
}

/** Maximum length of an address in characters, so that the parameters of an authorization request can be added later. */
const maxAddressLength = 2_000;

/** Characters allowed in an address (RFC 3986 §2). Excludes backslashes and characters that parsers read differently. */
const plainCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;

/** Scheme and host with an optional numeric port and no user info, for example `https://ads.example:8443`. */
const plainAuthority = /^(https?):\/\/(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?(?=[/?]|$)/i;

/**
 * The address policy (docs/live-service.md). Allows https to a public name or to the configured host.
 * Allows http only if the person configured http on the loopback, and then on any port. Refuses
 * credentials, fragments and private addresses. A service on the loopback may name only its own host.
 */
export function createUrlPolicy({ mcpUrl }: { mcpUrl: string }): UrlPolicy {
  const configured = new URL(mcpUrl);
  const isConfigured = ({ hostname }: URL): boolean => hostname === configured.hostname;
  return {
    check(text, field) {
      const url = parseAddress(text, field);
      const because = refusalReason(url, configured);
      if (because !== null) throw addressRefusal(text, field, because);
      return url;
    },
    isConfigured,
  };
}

function parseAddress(text: unknown, field: string): URL {
  const read = readPlainAddress(text);
  if (read.url === null) throw addressRefusal(text, field, read.because);
  return read.url;
}

type PlainAddress = { url: URL } | { url: null; because: string };

/** Parses an untrusted address only if all parsers would read it in the same way. */
export function readPlainAddress(text: unknown): PlainAddress {
  const none = (because: string): PlainAddress => ({ url: null, because });
  if (typeof text !== 'string') return none('it is not a text');
  if (text.length > maxAddressLength) return none('it is too long');
  if (!plainCharacters.test(text)) return none('it has characters that an address has not');
  if (text.includes('#')) return none('it has a fragment');
  const host = plainAuthority.exec(text)?.[2]?.toLowerCase();
  if (host === undefined) return none('it is not a plain http or https address');
  const url = URL.parse(text);
  // An IP address in another notation (0x7f.1, 2130706433) would be parsed into the address that it hides.
  if (url === null || url.hostname !== host || url.port === '0') {
    return none('its host or port is not written as it would be used');
  }
  return { url };
}

function refusalReason(url: URL, configured: URL): string | null {
  const isOwnHost = url.hostname === configured.hostname;
  const isOnLoopback = isLoopback(configured.hostname);
  if (url.protocol !== 'https:' && !(isOwnHost && isOnLoopback && configured.protocol === 'http:')) {
    return 'it is not https';
  }
  if (isOwnHost) return null;
  if (isOnLoopback) return 'a service on this machine names its own host only';
  return isPublicName(url.hostname) ? null : 'its host is no public name';
}

function addressRefusal(text: unknown, field: string, because: string): AppError {
  const address = typeof text === 'string' ? sentence` ${quoteServiceText(text)}` : '';
  return new AppError('address_refused', {
    message: sentence`The service names an address that Countersign does not open, in ${ownWords(field + address)}: ${ownWords(because)}.`,
    data: { field, sent: false },
  });
}
