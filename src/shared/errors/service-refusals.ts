import { type CatalogueEntry, entry } from './catalogue-entry.ts';

/** Refusals of a service (contract §7), and failures of reaching it. */
export const serviceRefusals = {
  // The service's answers, contract §7.1
  operation_refused: entry(
    400,
    'info',
    'The service refused the operation.',
    'Read its message, reload the current state and correct the change.',
  ),
  unauthenticated: entry(
    401,
    'info',
    'The member sign-in is missing or has expired.',
    'Sign in to the service again.',
  ),
  insufficient_balance: entry(
    402,
    'info',
    'The account has less than $1.00 available.',
    'Fund the account, then activate again.',
  ),
  forbidden: entry(
    403,
    'warn',
    'The account may not do this.',
    'Check which account you use and what it may do.',
  ),
  campaign_not_found: entry(
    404,
    'info',
    'The campaign does not exist in this account.',
    'Reload the list. Check the campaign id.',
  ),
  validation_failed: entry(422, 'info', 'Some fields are not valid.', 'Correct the named fields.'),
  rate_limited: entry(
    429,
    'info',
    'The service takes no more requests for now.',
    'Wait a moment, then try again.',
  ),
  service_unavailable: entry(
    503,
    'warn',
    'The service is not ready.',
    'Wait until it is back. Nothing was sent.',
  ),
  // The publisher reports and the remote endpoint, contract §7.2 and §7.3
  publisher_key_invalid: entry(
    401,
    'info',
    'The publisher key is missing, unknown or revoked.',
    'Send a valid publisher key in `token`.',
  ),
  publisher_scope_missing: entry(
    403,
    'info',
    'The publisher key does not have the scope of this report.',
    'Use a key with the scope that the report needs.',
  ),
  source_forbidden: entry(
    403,
    'info',
    'This traffic source or feed is not open to this key or account.',
    'Check the tid or sid.',
  ),
  no_data: entry(404, 'info', 'There is no data to export.', 'Choose other dates.'),
  token_invalid: entry(
    401,
    'info',
    'The access token is missing, expired, revoked or meant for another place.',
    'Connect again through OAuth.',
  ),
  scope_missing: entry(
    403,
    'info',
    'The access token does not have the scope that this needs.',
    'Connect again and ask for the named scope.',
  ),
  menu_denied: entry(
    403,
    'info',
    'Remote tools are not in the menu of this account.',
    'Ask the administrator of the account to switch them on.',
  ),
  module_denied: entry(
    403,
    'info',
    'This part of the service is not open to the account.',
    'Call `svc_whoami` to see what is.',
  ),
  dlp_denied: entry(
    403,
    'warn',
    'The arguments contain something that looks like a credential.',
    'Remove it. Credentials never belong in a tool call.',
  ),
  confirmation_missing: entry(
    403,
    'warn',
    'The change was not confirmed.',
    'Show the change to a person, then commit with `confirmed: true`.',
  ),
  session_unknown: entry(
    404,
    'info',
    'The session has ended, or is another one’s.',
    'Initialize a new session.',
  ),
  not_acceptable: entry(
    406,
    'info',
    'The answer would be of a type that is not accepted.',
    'Send `Accept: application/json, text/event-stream`.',
  ),
  stream_open: entry(
    409,
    'info',
    'This session has an open stream already.',
    'Listen on that stream, or end it first.',
  ),
  client_unable: entry(
    400,
    'info',
    'The client does not offer or did not give what this needs.',
    'Use a client that can be asked, or do it in another way.',
  ),
  object_not_found: entry(
    404,
    'info',
    'There is nothing under this name or id for the account.',
    'Check the id and the account.',
  ),
  arguments_invalid: entry(
    400,
    'info',
    'Some arguments are not valid.',
    'Correct the named arguments. Do not repeat the call unchanged.',
  ),
  approval_invalid: entry(
    409,
    'info',
    'The approval cannot be used: unknown, used, expired or of another grant.',
    'Read the current state and prepare again.',
  ),
  approval_mismatch: entry(
    409,
    'warn',
    'What was sent is not what was prepared.',
    'Send payload and fingerprint unchanged, or prepare again.',
  ),
  state_moved: entry(
    409,
    'info',
    'What the change was prepared from has moved.',
    'Read the current state and prepare again.',
  ),
  idempotency_conflict: entry(
    409,
    'info',
    'This idempotency key belongs to another request.',
    'Use a fresh key for a different request.',
  ),
  idempotency_in_flight: entry(
    409,
    'info',
    'The same request is being worked on.',
    'Wait, then ask for its outcome.',
  ),
  quota_exceeded: entry(
    429,
    'info',
    'Too many requests.',
    'Wait as long as `Retry-After` says, then try again.',
  ),
  form_outdated: entry(
    403,
    'info',
    'This page was out of date. Nothing was done.',
    'Go back to the question and answer it there.',
  ),
  uploads_full: entry(
    429,
    'info',
    'The account keeps as many uploads as it may.',
    'Use a picture that is there already.',
  ),
  not_ready: entry(
    503,
    'warn',
    'A part that the service needs is not available.',
    'Look at `/ready`. Try again when it is back.',
  ),

  // Reaching a service
  service_unreachable: entry(
    502,
    'warn',
    'The service cannot be reached.',
    'Check the connection. What you see may be old.',
  ),
  service_answer_unreadable: entry(
    502,
    'error',
    'The service gave an answer that cannot be read.',
    'Try again. If it persists, report it to the operator of the service.',
  ),
  service_failed: entry(502, 'warn', 'The service failed.', 'Try again later.'),
} as const satisfies Record<string, CatalogueEntry>;

/**
 * Refusals of the authorization server. The code without its first word is the `error` on the wire (RFC 6749, 7591,
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
