import type { Logger } from '#core/platform/logger.ts';
import { exchange, type Answer, type Seen } from './exchange.ts';
import type { Pauses } from './retry.ts';

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
  /** How reads wait for what passes by itself; without it they do not. */
  pauses?: Pauses;
}

/** How the service is at work, as a call saw it. */
export interface CallOutcome {
  /** An answer says so, whatever it is, but a 5xx says the contrary. */
  ready: boolean;
  latencyMs: number;
  /** Whether the service took the member's token; left out where the call does not tell. */
  signedIn?: boolean;
  /** The pause that the service asks for (429 and 503); left out where it asks for none. */
  retryAfterSeconds?: number;
}

export interface Call {
  method: 'GET' | 'PUT';
  /** Below the base, with its query. */
  path: string;
  /** The exact text to send. */
  body?: string;
  signal?: AbortSignal | undefined;
}

/** One request with the member's token (contract §5.1). Fails as `exchange` does. */
export async function call(
  { baseUrl, token, timeoutMs, logger, observe }: CallSettings,
  { method, path, body, signal }: Call,
): Promise<Answer> {
  const credential = await token();
  const headers = { authorization: `Bearer ${credential}`, accept: 'application/json' };
  return exchange(
    { logger, onSeen: (seen) => observe?.({ ...outcomeOf(seen), ...signedInOf(seen) }) },
    {
      method,
      url: `${baseUrl}${path}`,
      path: path.split('?')[0] ?? '',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body,
      credential,
      timeoutMs,
      signal,
    },
  );
}

/** What a request says about the service, whatever credential it carried. */
export function outcomeOf({ status, latencyMs, retryAfterSeconds }: Seen): CallOutcome {
  const asksForPause = (status === 429 || status === 503) && retryAfterSeconds !== null;
  return {
    ready: status !== null && status < 500,
    latencyMs,
    ...(asksForPause ? { retryAfterSeconds } : {}),
  };
}

/** A service that is too busy or broken may not have looked at the token. */
function signedInOf({ status }: Seen): Pick<CallOutcome, 'signedIn'> {
  if (status === null || status === 429 || status >= 500) return {};
  return { signedIn: status !== 401 };
}
