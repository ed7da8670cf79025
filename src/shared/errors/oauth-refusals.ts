import { entry } from './catalogue-entry.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';

/**
 * What the authorization server refuses. The code without its first word is the `error` on the wire (RFC 6749, 7591,
 * 8707).
 */
export const oauthRefusals = {
  oauth_invalid_request: entry(
    400,
    'info',
    'The request is not one that the authorization server takes.',
    'Correct the request. Do not repeat it unchanged.',
  ),
  oauth_invalid_client: entry(
    401,
    'info',
    'The client is unknown, or tried to authenticate in a way that is not offered.',
    'Register again, and send only `client_id`.',
  ),
  oauth_invalid_grant: entry(
    400,
    'info',
    'The code or refresh token is unknown, used, expired, revoked or of another client.',
    'Sign in again.',
  ),
  oauth_unauthorized_client: entry(
    400,
    'info',
    'The client has not registered this grant type.',
    'Register again with the grant type.',
  ),
  oauth_unsupported_grant_type: entry(
    400,
    'info',
    'This grant type is not offered.',
    'Use a grant type that the metadata names.',
  ),
  oauth_unsupported_response_type: entry(
    400,
    'info',
    'This response type is not offered.',
    'Use `response_type=code`.',
  ),
  oauth_invalid_scope: entry(
    400,
    'info',
    'A scope is not known, or was not granted.',
    'Ask for scopes that the metadata names.',
  ),
  oauth_invalid_target: entry(
    400,
    'info',
    'The `resource` is missing or not the one that is served here.',
    'Send the `resource` that the protected-resource metadata names.',
  ),
  oauth_invalid_redirect_uri: entry(
    400,
    'info',
    'The redirect URI is not allowed.',
    'Use an exact registered URI: https, or http on localhost.',
  ),
  oauth_invalid_client_metadata: entry(
    400,
    'info',
    'The registration asks for something that is not offered.',
    'Register a public client as the metadata describes.',
  ),
  oauth_interaction_required: entry(
    400,
    'info',
    'A person has to agree first.',
    'Send the person to the authorization page, without `prompt=none`.',
  ),
  oauth_request_not_supported: entry(
    400,
    'info',
    'Request objects are not offered.',
    'Send the parameters themselves.',
  ),
  oauth_access_denied: entry(
    403,
    'info',
    'Clients cannot register here.',
    'Use a client that the service knows.',
  ),
  oauth_interaction_unknown: entry(
    400,
    'info',
    'This sign-in has ended, or began in another browser.',
    'Go back to the program that sent you here and connect again.',
  ),
} as const satisfies Record<string, CatalogueEntry>;
