import type { z } from 'zod';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { Module } from '#core/store/backend/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal, Scope } from './principal.ts';

/** How a list says whether it is whole (contract §2.7). */
export interface SourcePagination {
  complete: boolean;
  offset: number;
  limit: number;
  total: number;
  totalExact: boolean;
  itemsExact: boolean;
  nextOffset: number | null;
}

/** What a tool answers: becomes `{status: 'success', data, sourcePagination?}`. */
export interface ToolAnswer {
  data: JsonValue;
  sourcePagination?: SourcePagination;
}

/** One tool of the service. A refusal is an `AppError`: the caller gets it as `isError` with its code and status. */
export interface RemoteTool {
  name: string;
  title: string;
  description: string;
  kind: 'read' | 'prepare' | 'commit';
  /** Needed for every call; a token without them is answered with 403. */
  scopes: readonly Scope[];
  /** One of these must be the member's; empty for everybody. */
  modules: readonly Module[];
  /** Hints of the protocol beyond what follows from the kind. */
  annotations?: { destructiveHint?: boolean; idempotentHint?: boolean };
  /** Strict: an argument that is not named here is refused. */
  input: z.ZodObject;
  /** The shape of `data`. */
  output: z.ZodType;
  run(principal: RemotePrincipal, args: JsonObject, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}
