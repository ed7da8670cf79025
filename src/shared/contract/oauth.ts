import { z } from 'zod';

/** Metadata of the protected resource (contract §4.3, RFC 9728). */
export const protectedResourceSchema = z.looseObject({
  resource: z.url(),
  authorization_servers: z.array(z.url()).min(1),
  scopes_supported: z.array(z.string()).optional(),
  bearer_methods_supported: z.array(z.string()).optional(),
});

/** Metadata of the authorization server (contract §5.3, RFC 8414). */
export const authorizationServerSchema = z.looseObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
  scopes_supported: z.array(z.string()).optional(),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()),
});

/** The registration of a client (contract §5.3, RFC 7591 §2). */
export const clientMetadataSchema = z.looseObject({
  redirect_uris: z.array(z.url()).min(1),
  client_name: z.string().optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])).optional(),
  response_types: z.array(z.literal('code')).optional(),
  scope: z.string().optional(),
});

/** A registered client (RFC 7591 §3.2.1). */
export const registeredClientSchema = clientMetadataSchema.extend({ client_id: z.string() });

/** The answer of the token endpoint (RFC 6749 §5.1). */
export const tokenAnswerSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.int().positive().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});

/** A refusal of the authorization server (RFC 6749 §5.2, RFC 7591 §3.2.2). */
export const oauthErrorSchema = z.looseObject({
  error: z.string(),
  error_description: z.string().optional(),
});
