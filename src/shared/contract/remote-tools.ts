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
