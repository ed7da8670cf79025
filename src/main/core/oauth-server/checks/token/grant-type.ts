import { refuse } from '../refuse.ts';
import type { Check, ClientRequest } from '../facts.ts';

const grantTypes = new Set(['authorization_code', 'refresh_token']);

/** One of the two grant types, and registered by this client (RFC 6749 §5.2). */
export const checkGrantType: Check<ClientRequest> = ({ parameters: { values }, client }) => {
  const type = values.get('grant_type');
  if (type === undefined) refuse('oauth_invalid_request', '`grant_type` is missing.');
  if (!grantTypes.has(type)) refuse('oauth_unsupported_grant_type');
  if (!client.grantTypes.includes(type)) refuse('oauth_unauthorized_client');
};
