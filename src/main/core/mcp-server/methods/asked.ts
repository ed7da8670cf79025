import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { McpLimits } from '../mcp-server.ts';
import { invalidParams } from '../rpc-error.ts';
import type { KnownLists } from '../session/lists.ts';
import type { CallContext, McpSurface, Principal } from '../surface.ts';

/** What one session has asked to be told. */
export interface SessionWishes {
  logLevel: LoggingLevel;
  /** Addresses of resources. */
  subscriptions: Set<string>;
}

/** One request, with all that a method needs to answer it. */
export interface Asked<P extends Principal> {
  surface: McpSurface<P>;
  principal: P;
  params: JsonObject;
  context: CallContext;
  wishes: SessionWishes;
  known: KnownLists<P>;
  limits: McpLimits;
}

/** The `result` of a JSON-RPC response. */
export type MethodResult = Record<string, unknown>;

/** Answers one method of the protocol. Fails with an `RpcError`, or an `AppError` of the surface. */
export type Method = <P extends Principal>(asked: Asked<P>) => MethodResult | Promise<MethodResult>;

/** A text among the params. Fails with -32602. */
export function textParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`\`${name}\` must be a text.`);
  return value;
}
