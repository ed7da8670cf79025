import type { CallContext, ToolDefinition, ToolResult } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { AgentPrincipal } from '../principal.ts';

/** A tool of Countersign itself. What it fails with is answered as a refusal. */
export interface OwnTool {
  definition: ToolDefinition;
  call(principal: AgentPrincipal, args: JsonObject, context: CallContext): Promise<ToolResult> | ToolResult;
}

/** Fails with `arguments_invalid`, naming what is not known here. */
export function allowArguments(args: JsonObject, allowed: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw argumentInvalid(unknown.slice(0, 40), 'There is no such argument.');
}

/** The failure of one argument. */
export function argumentInvalid(field: string, message: string): AppError {
  return new AppError('arguments_invalid', {
    message: `Some arguments are not valid: \`${field}\`. ${message}`,
    fields: [{ field, code: 'invalid', message }],
  });
}
