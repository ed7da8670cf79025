import { callerOf } from '../exchange.ts';
import type { Check } from '../exchange.ts';

/** What the owner of the surface says of each request: scopes, quotas. Fails as `McpSurface.admit`. */
export const checkAdmitted: Check = (exchange, { options }) => {
  const principal = callerOf(exchange);
  for (const message of exchange.messages) {
    if (message.kind !== 'request') continue;
    options.surface.admit(principal, { method: message.method, params: message.params });
  }
};
