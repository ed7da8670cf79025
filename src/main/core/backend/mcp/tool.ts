import type { z } from 'zod';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { Module } from '#core/store/backend/index.ts';
import type { SourcePagination } from '#shared/contract/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal, Scope } from './principal.ts';

/** What a tool answers: becomes `{status: 'success', data, sourcePagination?}`. */
export interface ToolAnswer {
  data: JsonValue;
  /** The JSON text of `data`, exactly as `JSON.stringify` would write it, where it is at hand. */
  dataText?: string;
  sourcePagination?: SourcePagination;
}

/** What somebody needs to be offered something, besides `svc:read`, which everything needs. */
export interface Requirements {
  /** Needed for every call; a token without them is answered with 403. */
  scopes: readonly Scope[];
  /** One of these must be the member's; empty for everybody. */
  modules: readonly Module[];
}

/** One tool of the service. A refusal is an `AppError`: the caller gets it as `isError` with its code and status. */
export interface RemoteTool extends Requirements {
  name: string;
  title: string;
  description: string;
  kind: 'read' | 'prepare' | 'commit';
  /** Hints of the protocol beyond what follows from the kind. */
  annotations?: { destructiveHint?: boolean; idempotentHint?: boolean };
  /** An argument that is not named here is refused. */
  input: z.ZodObject;
  /** Arguments that bring back what this service has given, and are refused unless they do: not searched for credentials. */
  givenHere?: readonly string[];
  /** The shape of `data`. */
  output: z.ZodType;
  /** Gets the arguments as `input` has read them, defaults filled in. */
  run(principal: RemotePrincipal, args: JsonObject, context: CallContext): ToolAnswer | Promise<ToolAnswer>;
}
