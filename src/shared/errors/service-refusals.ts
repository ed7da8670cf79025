import { failures } from './catalogue-entry.ts';

export const serviceRefusals = {
  // The service's answers, contract §7.1
  ...failures(400, 'info', {
    operation_refused: [
      'The service refused the operation.',
      'Read its message, reload the current state and correct the change.',
    ],
  }),
  ...failures(401, 'info', {
    unauthenticated: ['The member sign-in is missing or has expired.', 'Sign in to the service again.'],
  }),
  ...failures(402, 'info', {
    insufficient_balance: [
      'The account has less than $1.00 available.',
      'Fund the account, then activate again.',
    ],
  }),
  ...failures(403, 'warn', {
    forbidden: ['The account may not do this.', 'Check which account you use and what it may do.'],
  }),
  ...failures(404, 'info', {
    campaign_not_found: [
      'The campaign does not exist in this account.',
      'Reload the list. Check the campaign id.',
    ],
  }),
  ...failures(422, 'info', {
    validation_failed: ['Some fields are not valid.', 'Correct the named fields.'],
  }),
  ...failures(429, 'info', {
    rate_limited: ['The service takes no more requests for now.', 'Wait a moment, then try again.'],
  }),
  ...failures(503, 'warn', {
    service_unavailable: ['The service is not ready.', 'Wait until it is back. Nothing was sent.'],
  }),
  // The publisher reports and the remote endpoint, contract §7.2 and §7.3
  ...failures(401, 'info', {
    publisher_key_invalid: [
      'The publisher key is missing, unknown or revoked.',
      'Send a valid publisher key in `token`.',
    ],
    token_invalid: [
      'The access token is missing, expired, revoked or meant for another place.',
      'Connect again through OAuth.',
    ],
  }),
  ...failures(403, 'info', {
    publisher_scope_missing: [
      'The publisher key does not have the scope of this report.',
      'Use a key with the scope that the report needs.',
    ],
    source_forbidden: [
      'This traffic source or feed is not open to this key or account.',
      'Check the tid or sid.',
    ],
    scope_missing: [
      'The access token does not have the scope that this needs.',
      'Connect again and ask for the named scope.',
    ],
    menu_denied: [
      'Remote tools are not in the menu of this account.',
      'Ask the administrator of the account to switch them on.',
    ],
    module_denied: [
      'This part of the service is not open to the account.',
      'Call `svc_whoami` to see what is.',
    ],
    form_outdated: [
      'This page was out of date. Nothing was done.',
      'Go back to the question and answer it there.',
    ],
  }),
  ...failures(404, 'info', {
    no_data: ['There is no data to export.', 'Choose other dates.'],
    session_unknown: ['The session has ended, or belongs to another client.', 'Initialize a new session.'],
    object_not_found: [
      'There is nothing under this name or id for the account.',
      'Check the id and the account.',
    ],
  }),
  ...failures(403, 'warn', {
    dlp_denied: [
      'The arguments contain something that looks like a credential.',
      'Remove it. Credentials never belong in a tool call.',
    ],
    confirmation_missing: [
      'The change was not confirmed.',
      'Show the change to a person, then commit with `confirmed: true`.',
    ],
  }),
  ...failures(406, 'info', {
    not_acceptable: [
      'The answer would be of a type that is not accepted.',
      'Send `Accept: application/json, text/event-stream`.',
    ],
  }),
  ...failures(409, 'info', {
    stream_open: ['This session has an open stream already.', 'Listen on that stream, or end it first.'],
    approval_invalid: [
      'The approval cannot be used: unknown, used, expired or of another grant.',
      'Read the current state and prepare again.',
    ],
    state_moved: [
      'The state from which the change was prepared is out of date.',
      'Read the current state and prepare again.',
    ],
    idempotency_conflict: [
      'This idempotency key belongs to another request.',
      'Use a fresh key for a different request.',
    ],
    idempotency_in_flight: ['This request is still being processed.', 'Wait, then ask for its outcome.'],
  }),
  ...failures(400, 'info', {
    client_unable: [
      'The client cannot answer this question, or did not answer it.',
      'Use a client that answers questions of the server, or do it in another way.',
    ],
    arguments_invalid: [
      'Some arguments are not valid.',
      'Correct the named arguments. Do not repeat the call unchanged.',
    ],
  }),
  ...failures(409, 'warn', {
    approval_mismatch: [
      'The payload or fingerprint is not the prepared one.',
      'Send payload and fingerprint unchanged, or prepare again.',
    ],
  }),
  ...failures(429, 'info', {
    quota_exceeded: ['Too many requests.', 'Wait as long as `Retry-After` says, then try again.'],
    uploads_full: [
      'The account has reached its limit of uploads.',
      'Use a picture that is already uploaded.',
    ],
  }),
  ...failures(503, 'warn', {
    not_ready: [
      'A part that the service needs is not available.',
      'Look at `/ready`. Try again when it is back.',
    ],
  }),
  // Reaching a service
  ...failures(502, 'warn', {
    service_unreachable: ['The service cannot be reached.', 'Check the connection. What you see may be old.'],
    service_failed: ['The service failed.', 'Try again later.'],
  }),
  ...failures(502, 'error', {
    service_answer_unreadable: [
      'The service gave an answer that cannot be read.',
      'Try again. If it persists, report it to the operator of the service.',
    ],
  }),
};

/**
 * Refusals of the authorization server. Without the prefix, each code is the `error` value on the wire (RFC 6749, 7591,
 * 8707).
 */
export const oauthRefusals = {
  ...failures(400, 'info', {
    oauth_invalid_request: [
      'The authorization server does not accept this request.',
      'Correct the request. Do not repeat it unchanged.',
    ],
    oauth_invalid_grant: [
      'The code or refresh token is unknown, used, expired, revoked or of another client.',
      'Sign in again.',
    ],
    oauth_unauthorized_client: [
      'The client has not registered this grant type.',
      'Register again with the grant type.',
    ],
    oauth_unsupported_grant_type: [
      'This grant type is not offered.',
      'Use a grant type that the metadata names.',
    ],
    oauth_unsupported_response_type: ['This response type is not offered.', 'Use `response_type=code`.'],
    oauth_invalid_scope: [
      'A scope is not known, or was not granted.',
      'Ask for scopes that the metadata names.',
    ],
    oauth_invalid_target: [
      'The `resource` is missing or not the one that is served here.',
      'Send the `resource` that the protected-resource metadata names.',
    ],
    oauth_invalid_redirect_uri: [
      'The redirect URI is not allowed.',
      'Use an exact registered URI: https, or http on localhost.',
    ],
    oauth_invalid_client_metadata: [
      'The registration asks for something that is not offered.',
      'Register a public client as the metadata describes.',
    ],
    oauth_interaction_required: [
      'A person has to agree first.',
      'Send the person to the authorization page, without `prompt=none`.',
    ],
    oauth_request_not_supported: ['Request objects are not offered.', 'Send the parameters themselves.'],
    oauth_interaction_unknown: [
      'This sign-in has ended, or began in another browser.',
      'Go back to the program that sent you here and connect again.',
    ],
  }),
  ...failures(401, 'info', {
    oauth_invalid_client: [
      'The client is unknown, or tried to authenticate in a way that is not offered.',
      'Register again, and send only `client_id`.',
    ],
  }),
  ...failures(403, 'info', {
    oauth_access_denied: ['Clients cannot register here.', 'Use a client that the service knows.'],
  }),
};
