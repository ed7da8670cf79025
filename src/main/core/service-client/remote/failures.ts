import type { AnswerHeaders } from '#system/http/answer.ts';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { withServiceWords } from '../answers.ts';
import { readChallenge, retryAfterSeconds } from '../exchange.ts';

/** The service no longer knows the session (404): what was asked was not carried out, and another session may be begun. */
export class SessionUnknown extends Error {
  /** Its meaning if another session does not help. */
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    super('The service does not know the session', { cause: refusal });
    this.name = 'SessionUnknown';
    this.refusal = refusal;
  }
}

/** Contract §7.3, by status; what is not here is a refused call (4xx) or a failed service. */
const codes: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'sign_in_needed',
  403: 'forbidden',
  404: 'object_not_found',
  405: 'protocol_failed',
  406: 'protocol_failed',
  415: 'protocol_failed',
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/** A refusing answer of the endpoint. */
export interface RefusingAnswer {
  status: number;
  headers: AnswerHeaders;
  text: string;
  /** Blanks the token that was sent: a service that repeats it does not bring it into our messages. */
  conceal(text: string): string;
}

/**
 * The failure that a refusing answer of the endpoint stands for (contract §7.3), the service's words as a quotation.
 * `data.sent` where a failing server may have carried the request out before it failed.
 */
export function refusalOfAnswer({ status, headers, text, conceal }: RefusingAnswer): AppError {
  const { error, scope } = readChallenge(headers);
  if (status === 403 && error === 'insufficient_scope') {
    return new AppError('scope_needed', { data: { status, scope } });
  }
  const code = codes[status] ?? (status >= 400 && status < 500 ? 'tool_refused' : 'service_failed');
  const pause = status === 429 || status === 503 ? retryAfterSeconds(headers) : null;
  const { message, data } = withWords(code, conceal(wordsIn(text)));
  return new AppError(code, {
    message,
    data: {
      ...data,
      status,
      ...(pause === null ? {} : { retryAfterSeconds: pause }),
      ...(code === 'service_failed' ? { sent: true } : {}),
    },
  });
}

/** The catalogue's text, and after it the service's own words where it has some. */
export function withWords(code: ErrorCode, words: string): ReturnType<typeof withServiceWords> {
  const { text } = catalogue[code];
  return withServiceWords(text, words === text ? '' : words);
}

/** The contract shows no body of a refusal: a JSON-RPC error, an OAuth error and a plain message are understood. */
function wordsIn(text: string): string {
  const body = objectIn(text);
  const error = body['error'];
  const said = [
    isJsonObject(error) ? error['message'] : undefined,
    body['error_description'],
    body['message'],
  ].find((words): words is string => typeof words === 'string' && words !== '');
  return said ?? '';
}

function objectIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
