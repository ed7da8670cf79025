import type { CallContext, ToolResult } from '#core/mcp-server/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { readArguments } from './arguments.ts';
import type { DataLossPrevention } from './data-loss-prevention.ts';
import type { RemotePrincipal } from './principal.ts';
import { hasModule, hasScopes } from './requirements.ts';
import type { RemoteTool } from './tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';
import { refusalResult, successResult } from './tool-result.ts';
import { toRefusal } from './to-refusal.ts';

/** One call of a tool that there is. */
interface ToolCall {
  tool: RemoteTool;
  principal: RemotePrincipal;
  args: JsonObject;
  dlp: DataLossPrevention;
}

/** What a call must pass before its arguments are read, in this order. A token without the scope was refused at the door already. */
const checks: readonly ((call: ToolCall) => void)[] = [
  ({ principal, tool }) => {
    if (!hasModule(principal, tool)) throw new AppError('module_denied');
  },
  ({ principal, tool }) => {
    if (!hasScopes(principal, tool)) throw new AppError('scope_missing');
  },
  ({ dlp, tool, args }) => dlp.rejectCredentials(args, tool.givenHere),
];

/**
 * Runs tools. A refusal is an answer with `isError`; only a name that no tool has fails, with `object_not_found`. A bug is
 * logged and answered without its words.
 */
export function createToolCaller(parts: {
  tools: ToolCatalogue;
  dlp: DataLossPrevention;
  logger: Logger;
}): (
  principal: RemotePrincipal,
  call: { name: string; args: JsonObject },
  context: CallContext,
) => Promise<ToolResult> {
  const { tools, dlp, logger } = parts;
  return async (principal, { name, args }, context) => {
    const tool = tools.find(name);
    if (tool === null) {
      throw new AppError('object_not_found', { message: 'There is no tool of this name.' });
    }
    try {
      for (const check of checks) check({ tool, principal, args, dlp });
      const read = readArguments(tool.input, args) as JsonObject;
      return successResult(await tool.run(principal, read, context));
    } catch (failure) {
      return refusalResult(toRefusal(failure, { logger, what: tool.name }));
    }
  };
}
