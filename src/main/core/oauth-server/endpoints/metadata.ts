import { type AuthorizationServerOptions, paths } from '../authorization-server.ts';
import { sendJson } from '../http/answer.ts';
import type { Endpoint } from '../server-parts.ts';

/** The protected resource (RFC 9728 §3.2): where tokens for it come from. */
export function createResourceMetadata({ resource, issuer, scopes }: AuthorizationServerOptions): Endpoint {
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes.filter(({ ofResource }) => ofResource).map(({ name }) => name),
    bearer_methods_supported: ['header'],
  };
  return async (exchange) => sendJson(exchange, 200, metadata);
}

/** The authorization server (RFC 8414 §3.2), made of the issuer and never of what a request says. */
export function createServerMetadata({ issuer, scopes, registration }: AuthorizationServerOptions): Endpoint {
  const isOpen = registration.kind === 'open';
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}${paths.authorize}`,
    token_endpoint: `${issuer}${paths.token}`,
    ...(isOpen ? { registration_endpoint: `${issuer}${paths.register}` } : {}),
    revocation_endpoint: `${issuer}${paths.revoke}`,
    scopes_supported: scopes.map(({ name }) => name),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  return async (exchange) => sendJson(exchange, 200, metadata);
}
