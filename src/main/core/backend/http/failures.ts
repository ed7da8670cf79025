import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { asNotReady } from '../not-ready.ts';

/** What the framework refuses by itself, in our words. */
const codesOfFramework: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/** Answers every failure as `{status: 'error', message, code, errors?}`; a 5xx says nothing of its cause. */
export function installFailures(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((failure: FastifyError | AppError, request, reply) => {
    const { status } = answerFailure(failure, reply);
    if (status >= 500) logger.error({ err: failure, method: request.method }, 'The service failed');
  });
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
}

/** Sends the answer to a failure and returns what it was taken for. */
export function answerFailure(failure: FastifyError | AppError, reply: FastifyReply): AppError {
  const error = wireErrorOf(failure);
  void reply.code(error.status).type('application/json; charset=utf-8').send(errorBody(error));
  return error;
}

function wireErrorOf(failure: FastifyError | AppError): AppError {
  const seen = asNotReady(failure);
  return seen instanceof AppError ? seen : refusalOf(failure);
}

function refusalOf(failure: FastifyError): AppError {
  const known = codesOfFramework[failure.code];
  if (known !== undefined) return new AppError(known);
  const isTheirs = failure.statusCode !== undefined && failure.statusCode >= 400 && failure.statusCode < 500;
  return new AppError(isTheirs ? 'bad_request' : 'internal', { cause: failure });
}

function errorBody(error: AppError): string {
  const { code, fields } = error;
  const message = error.status < 500 ? error.message : 'The service failed. Try again later.';
  return JSON.stringify({ status: 'error', message, code, ...(fields.length > 0 ? { errors: fields } : {}) });
}
