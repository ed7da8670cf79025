import type { CallContext, ToolResult } from '#core/mcp-server/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { asNotReady } from '../not-ready.ts';
import { readArguments } from '../remote-call/arguments.ts';
import type { DataLossPrevention } from './data-loss-prevention.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import { hasModule, hasScopes } from '../remote-call/tool.ts';
import type { RemoteTool, ToolAnswer } from '../remote-call/tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** One call of a tool that there is. */
interface ToolCall {
  tool: RemoteTool;
  principal: RemotePrincipal;
  args: JsonObject;
  dlp: DataLossPrevention;
}

/** The checks of a call before its arguments are read, in this order. A token without the scope was refused on admission already. */
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

/** `{status: 'success', data, sourcePagination?}`, structured and as one text of the same bytes (contract §2.7). */
function successResult({ data, dataText, sourcePagination }: ToolAnswer): ToolResult {
  const page = sourcePagination === undefined ? {} : { sourcePagination: { ...sourcePagination } };
  const structuredContent: JsonObject = { status: 'success', data, ...page };
  const text =
    dataText === undefined
      ? JSON.stringify(structuredContent)
      : `{"status":"success","data":${dataText}${pageText(sourcePagination)}}`;
  return { content: [{ type: 'text', text }], structuredContent };
}

function pageText(page: ToolAnswer['sourcePagination']): string {
  return page === undefined ? '' : `,"sourcePagination":${JSON.stringify(page)}`;
}

/** A refusal that the caller's agent can read: code, words, what to do next, status (contract §7.3). */
function refusalResult(error: AppError): ToolResult {
  const { code, message, next, status, fields } = error;
  const errors =
    fields.length > 0
      ? {
          errors: fields.map(({ field, code: word, message: text }) => ({
            field,
            code: word,
            message: text,
          })),
        }
      : {};
  const structuredContent: JsonObject = {
    status: 'error',
    error: { code, message, next, statusCode: status, ...errors },
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    isError: true,
  };
}

/** A failure as the caller may see it: refusals as they are, broken storage as `not_ready`, a bug as the neutral `internal`. */
function toRefusal(failure: unknown, { logger, what }: { logger: Logger; what: string }): AppError {
  const seen = asNotReady(failure);
  const known = seen instanceof AppError ? seen : null;
  if (known !== null && known.status < 500) return known;
  logger.error({ err: failure, what }, 'A remote tool failed');
  return known ?? new AppError('internal', { message: 'The service failed. Try again later.' });
}
