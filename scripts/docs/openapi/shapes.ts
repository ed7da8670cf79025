import { z } from 'zod';
import { exactPaginationSchema } from '#shared/contract/index.ts';

/** Body of a REST error. Our choice, because the contract is silent (docs/service-choices.md). */
export const errorBodySchema = z.looseObject({
  status: z.literal('error'),
  message: z.string(),
  code: z.string().optional(),
  errors: z.array(z.looseObject({ field: z.string(), code: z.string(), message: z.string() })).optional(),
});

/** Body of PUT update-status (contract §4.1). */
export const updateStatusBodySchema = z.strictObject({
  ids: z.array(z.int()).min(1),
  status: z.int().min(0).max(4),
});

/** `data` of the answer to update-status. Our choice, because the contract is silent. */
export const updatedStatusSchema = z.looseObject({
  updated: z.array(z.int()),
  status: z.int().min(0).max(4),
});

/** Answer of `/health` (contract §4.3). It proves only that the process responds. */
export const healthSchema = z.looseObject({ status: z.literal('ok') });

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
