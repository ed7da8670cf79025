import type { IncomingMessage } from 'node:http';
import type { Client } from '../client-metadata.ts';
import type { Parameters } from '../http/request.ts';
import { type Check, type ClientRequest, refuse, type ServerFacts } from './every-request.ts';

/** Codes and tokens never travel in an address, where logs keep them (RFC 6749 §3.2, contract §5.3). */
export function rejectQuery(request: IncomingMessage): void {
  if ((request.url ?? '').includes('?')) {
    refuse('oauth_invalid_request', 'Send the parameters in the body, not in the address.');
  }
}

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** Every client is public and names itself in the body (contract §5.3): a secret that was never issued proves nothing. */
export function rejectOtherAuthentication(request: IncomingMessage, { values }: Parameters): void {
  if (request.headers.authorization !== undefined || secrets.some((name) => values.has(name))) {
    refuse('oauth_invalid_client', 'Clients do not authenticate here. Send only `client_id`.');
  }
}

/** The client that a request names. Fails with `oauth_invalid_client` for an unknown one (RFC 6749 §5.2). */
export async function findKnownClient({ values }: Parameters, server: ServerFacts): Promise<Client> {
  const clientId = values.get('client_id');
  if (clientId === undefined) refuse('oauth_invalid_request', '`client_id` is missing.');
  const client = await server.findClient(clientId);
  return client ?? refuse('oauth_invalid_client', 'The client is not registered here.');
}

const grantTypes = new Set(['authorization_code', 'refresh_token']);

/** One of the two grant types, and registered by this client (RFC 6749 §5.2). */
export const checkGrantType: Check<ClientRequest> = ({ parameters: { values }, client }) => {
  const type = values.get('grant_type');
  if (type === undefined) refuse('oauth_invalid_request', '`grant_type` is missing.');
  if (!grantTypes.has(type)) refuse('oauth_unsupported_grant_type');
  if (!client.grantTypes.includes(type)) refuse('oauth_unauthorized_client');
};

/** The form of the library's codes and tokens; longer ones are not even hashed. */
export const tokenForm = /^[\w-]{20,128}$/;

/** The code and the redirect URI that it was sent to (RFC 6749 §4.1.3). */
export const checkCode: Check<ClientRequest> = ({ parameters: { values } }) => {
  const code = values.get('code');
  if (code === undefined) refuse('oauth_invalid_request', '`code` is missing.');
  if (!values.has('redirect_uri')) refuse('oauth_invalid_request', '`redirect_uri` is missing.');
  if (!tokenForm.test(code)) refuse('oauth_invalid_grant');
};

/** Checks only the form (RFC 7636 §4.1); the match with the challenge is checked with the code. */
export const checkCodeVerifier: Check<ClientRequest> = ({ parameters: { values } }) => {
  const verifier = values.get('code_verifier');
  if (verifier === undefined) refuse('oauth_invalid_request', '`code_verifier` is missing.');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) {
    refuse('oauth_invalid_request', '`code_verifier` is not well-formed.');
  }
};

/** The refresh token itself (RFC 6749 §6). */
export const checkRefreshToken: Check<ClientRequest> = ({ parameters: { values } }) => {
  const token = values.get('refresh_token');
  if (token === undefined) refuse('oauth_invalid_request', '`refresh_token` is missing.');
  if (!tokenForm.test(token)) refuse('oauth_invalid_grant');
};
