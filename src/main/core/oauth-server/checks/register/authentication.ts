import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuse } from '../refuse.ts';

/** Clients are public: no secret is given out (contract §5.3). One that does not say is taken for public as well. */
export function checkAuthenticationMethod({ token_endpoint_auth_method: method }: JsonObject): void {
  if (method !== undefined && method !== 'none') {
    refuse('oauth_invalid_client_metadata', '`token_endpoint_auth_method` must be `none`.');
  }
}
