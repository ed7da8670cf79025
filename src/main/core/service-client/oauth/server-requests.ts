import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import type { UrlPolicy } from '../url-policy.ts';
import { createGuardedFetch, refusingFetch, type GuardedFetch } from './guarded-fetch.ts';

/** How every request to an authorization server is made with oauth4webapi. */
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
