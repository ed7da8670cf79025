import type { Client } from '../client-metadata.ts';
import type { Parameters } from '../http/request.ts';
import { hasOwnScheme, leadsToServer, ownSchemeRemedy, refuse, type ServerFacts } from './every-request.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** An authorization request on its way through the checks. */
export interface AskedAuthorization {
  parameters: Parameters;
  /** Assigned by the check that finds it. */
  client: Client | null;
}

/** A check of the authorization endpoint. */
export type AuthorizationCheck = (asked: AskedAuthorization, server: ServerFacts) => void | Promise<void>;

/** Without one known client no address can be trusted (RFC 6749 §4.1.2.1). */
export const loadClient: AuthorizationCheck = async (asked, server) => {
  const { values, repeated } = asked.parameters;
  const clientId = values.get('client_id');
  if (clientId === undefined || repeated.has('client_id')) {
    refuse('oauth_invalid_request', '`client_id` must be sent once.');
  }
  asked.client = await server.findClient(clientId);
  if (asked.client === null) refuse('oauth_invalid_client', 'The client is not registered here.');
};

/**
 * The redirect URI is one of the registered ones, character for character (contract §5.3, RFC 9700 §2.1). Only the port of
 * a native app's loopback address may be another one: it takes a port that is free when it asks (RFC 8252 §7.3).
 */
export const checkRedirectUri: AuthorizationCheck = ({ parameters, client }, facts) => {
  const { nativeApps } = facts;
  const { values, repeated } = parameters;
  const uri = values.get('redirect_uri');
  if (uri === undefined || repeated.has('redirect_uri')) {
    refuse('oauth_invalid_request', '`redirect_uri` must be sent once.');
  }
  const parsed = URL.parse(uri);
  if (parsed !== null && leadsToServer(parsed, facts)) {
    refuse('oauth_invalid_redirect_uri', 'A redirect URI must not lead to this server itself.');
  }
  if (client !== null && isRegistered(uri, client)) return;
  const hasRemedy = nativeApps && hasOwnScheme(uri);
  const fault = 'The redirect URI is not registered for this client.';
  refuse(
    'oauth_invalid_redirect_uri',
    sentence`${ownWords(hasRemedy ? `${fault} ${ownSchemeRemedy}` : fault)}`,
  );
};

function isRegistered(uri: string, { redirectUris, anyLoopbackPort }: Client): boolean {
  if (redirectUris.includes(uri)) return true;
  const portless = anyLoopbackPort ? withoutPort(uri) : null;
  return portless !== null && redirectUris.some((registered) => withoutPort(registered) === portless);
}

const onLoopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[1-9]\d{0,4})?((?:[/?].*)?)$/;

/** An http address on the loopback without its port; null for any other. */
function withoutPort(uri: string): string | null {
  const [, host, rest] = onLoopback.exec(uri) ?? [];
  return host === undefined || rest === undefined || URL.parse(uri) === null ? null : `${host}${rest}`;
}

/** Parameters inside a JWT, or fetched from an address, are not read (RFC 9101). */
export const rejectRequestObject: AuthorizationCheck = ({ parameters: { values } }) => {
  if (values.has('request') || values.has('request_uri')) refuse('oauth_request_not_supported');
};

/** The only response is a code (OAuth 2.1 §4.1.1). */
export const checkResponseType: AuthorizationCheck = ({ parameters: { values } }) => {
  const type = values.get('response_type');
  if (type === undefined) refuse('oauth_invalid_request', '`response_type` is missing.');
  if (type !== 'code') refuse('oauth_unsupported_response_type');
};

/** It goes into the query of the redirect URI. */
export const checkResponseMode: AuthorizationCheck = ({ parameters: { values } }) => {
  if ((values.get('response_mode') ?? 'query') !== 'query') {
    refuse('oauth_invalid_request', 'Only `response_mode=query` is offered.');
  }
};

/** PKCE with S256 and nothing else (contract §5.3, RFC 7636 §4.3). */
export const checkCodeChallenge: AuthorizationCheck = ({ parameters: { values } }) => {
  const challenge = values.get('code_challenge');
  if (challenge === undefined) refuse('oauth_invalid_request', '`code_challenge` is missing.');
  if (values.get('code_challenge_method') !== 'S256') {
    refuse('oauth_invalid_request', '`code_challenge_method` must be S256.');
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    refuse('oauth_invalid_request', '`code_challenge` is not well-formed.');
  }
};

/** Prompts that a client may ask for; a person is asked in any case. */
const prompts = new Set(['login', 'consent', 'select_account']);

/** A person is always asked, so `none` cannot be met; unknown words are refused. */
export const checkPrompt: AuthorizationCheck = ({ parameters: { values } }) => {
  const asked = values.get('prompt');
  if (asked === undefined) return;
  if (asked === 'none') refuse('oauth_interaction_required');
  if (!asked.split(' ').every((prompt) => prompts.has(prompt))) {
    refuse('oauth_invalid_request', 'The `prompt` is not known.');
  }
};
