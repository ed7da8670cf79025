import type { ToolResult } from '#core/mcp-server/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { ToolAnswer } from './tool.ts';

/** `{status: 'success', data, sourcePagination?}`, structured and as one text of the same bytes (contract §2.7). */
export function successResult({ data, dataText, sourcePagination }: ToolAnswer): ToolResult {
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
export function refusalResult(error: AppError): ToolResult {
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
