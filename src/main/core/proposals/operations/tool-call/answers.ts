import { quotation } from '#core/service-client/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { AnsweredFailure } from '../operation.ts';

/** The service may have failed after the change. */
const leastFailing = 500;

/** The kept answer read back. */
export function answerIn(text: string): JsonObject {
  const answer = parseStrictJson(text);
  if (!isJsonObject(answer)) throw new Error('The result of a call is an object');
  return answer;
}

/**
 * Passes for a result that accepts the call. Fails with `tool_refused` in the service's words, or with `outcome_unknown` where the
 * service says that it failed itself; the answer is kept either way.
 */
export function assertAccepted(result: JsonObject): void {
  if (result['isError'] !== true) return;
  const answer = JSON.stringify(result);
  const { statusCode, message } = errorIn(result);
  if (typeof statusCode === 'number' && statusCode >= leastFailing) {
    throw new AnsweredFailure('outcome_unknown', { answer });
  }
  const words = typeof message === 'string' ? message : firstText(result);
  const { message: refused } = new AppError('tool_refused');
  throw new AnsweredFailure('tool_refused', {
    answer,
    message: words === '' ? refused : `${refused} The service says: ${quotation(words)}`,
  });
}

/** What the service's own verification says of a commit (`completed`, `partial`, `not_stored`); null where it says nothing. */
export function commitStatus(result: JsonObject): string | null {
  const status = dataIn(result)['status'];
  return typeof status === 'string' ? status : null;
}

function dataIn(result: JsonObject): JsonObject {
  const content = result['structuredContent'];
  const data = isJsonObject(content) ? content['data'] : undefined;
  return isJsonObject(data) ? data : {};
}

function errorIn(result: JsonObject): JsonObject {
  const content = result['structuredContent'];
  const error = isJsonObject(content) ? content['error'] : undefined;
  return isJsonObject(error) ? error : {};
}

function firstText(result: JsonObject): string {
  const content = result['content'];
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
