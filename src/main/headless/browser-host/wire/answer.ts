import type { ServerResponse } from 'node:http';
import type { Logger } from '#core/platform/logger.ts';
import { catalogue, encodeError } from '#shared/errors/index.ts';

/** Answers 200 with a JSON body. */
export function answerJson(response: ServerResponse, body: Record<string, unknown>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

/** Answers `{"error": EncodedError}` with the status of its code; the cause of a bug goes to the log only. */
export function answerFailure(response: ServerResponse, failure: unknown, logger: Logger): void {
  const error = encodeError(failure);
  const { status, level } = catalogue[error.code];
  if (level === 'error') logger.error({ err: failure, code: error.code }, 'A request of a page failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ error }));
}
