import { z } from 'zod';

/** Completeness of a list of any service (contract §2.7). The contract names only these members, no flags of exactness. */
export const sourcePaginationSchema = z.looseObject({
  complete: z.boolean(),
  nextOffset: z.int().min(0).nullish(),
});

export const exactPaginationSchema = z.object({
  complete: z.boolean().describe('Nothing comes after these items.'),
  offset: z.int().min(0),
  limit: z.int().min(1),
  total: z.int().min(0),
  totalExact: z.boolean(),
  itemsExact: z.boolean(),
  nextOffset: z.int().min(0).nullable().describe('Where to go on; null when there is nothing more.'),
});

export type ExactPagination = z.infer<typeof exactPaginationSchema>;

/** `structuredContent` of a successful call (contract §2.7). */
export const toolResultSchema = z.looseObject({
  status: z.string(),
  data: z.unknown(),
  sourcePagination: exactPaginationSchema.optional(),
});

/** A JSON-RPC 2.0 message to the remote endpoint (contract §4.3). */
export const jsonRpcCallSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** The body of a refusal by the remote endpoint. Our choice, because the contract is silent. */
export const jsonRpcErrorSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]),
  error: z.looseObject({
    code: z.int(),
    message: z.string(),
    data: z.looseObject({ code: z.string() }).optional(),
  }),
});

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

/** A client registration request (contract §5.3, RFC 7591 §2). */
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
