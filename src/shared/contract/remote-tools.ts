import { z } from 'zod';

/** Completeness of a list of any service (contract §2.7), which names neither the exactness flags nor anything else. */
export const sourcePaginationSchema = z.looseObject({
  complete: z.boolean(),
  nextOffset: z.int().min(0).nullish(),
});

/** The same with what the embedded service says besides. */
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

/** A JSON-RPC 2.0 message on its way to the remote endpoint (contract §4.3). */
export const jsonRpcCallSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

/** The body of a refusal of the remote endpoint; our choice where the contract is silent. */
export const jsonRpcErrorSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]),
  error: z.looseObject({
    code: z.int(),
    message: z.string(),
    data: z.looseObject({ code: z.string() }).optional(),
  }),
});
