import fastify, { type FastifyInstance, type FastifyReply, type FastifyError } from 'fastify';
import { defaultBodyBytes, parseJsonBody } from '#core/platform/loopback/requests.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, type ErrorCode, storageCodes } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `WWW-Authenticate` of a route's 401: default `Bearer`, null for none. */
    challenge?: string | null;
  }
}

const maxParameterLength = 64 * 1024;

/** Creates the app without a listener: the guarded listener calls `app.routing`. */
export function createApp({ logger }: { logger: Logger }): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: defaultBodyBytes,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxParameterLength },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (failure, _request, reply) => answerFailure(failure, reply as FastifyReply),
  });
  installFailures(app, logger);
  installJsonBody(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { challenge = 'Bearer' } = request.routeOptions.config;
    if (reply.statusCode === 401 && challenge !== null) reply.header('www-authenticate', challenge);
    done();
  });
  return app;
}

/** Replaces fastify's schema compilers, so that a start loads neither (docs/decisions/0059). */
function noSchemas(): never {
  throw new Error('A route of the service has no schema for fastify');
}

const codesOfFramework: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

function installFailures(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((failure: FastifyError | AppError, request, reply) => {
    const { status } = answerFailure(failure, reply);
    if (status >= 500) logger.error({ err: failure, method: request.method }, 'The service failed');
  });
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
}

function answerFailure(failure: FastifyError | AppError, reply: FastifyReply): AppError {
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
  const isClientError =
    failure.statusCode !== undefined && failure.statusCode >= 400 && failure.statusCode < 500;
  return new AppError(isClientError ? 'bad_request' : 'internal', { cause: failure });
}

function errorBody(error: AppError): string {
  const { code, fields } = error;
  const message = error.status < 500 ? error.message : 'The service failed. Try again later.';
  return JSON.stringify({ status: 'error', message, code, ...(fields.length > 0 ? { errors: fields } : {}) });
}

function installJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/** Fails with a `json_…` code, or `bad_input` if the JSON is not an object. */
export function readJsonObject(body: unknown): JsonObject {
  if (!Buffer.isBuffer(body)) throw new AppError('json_invalid');
  const value = parseJsonBody(body);
  if (!isJsonObject(value)) throw new AppError('bad_input', { message: 'The body must be a JSON object.' });
  return value;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async (_request, reply) => {
      reply.header('allow', allowed.join(', '));
      throw new AppError('method_not_allowed');
    },
    handler: () => {},
  });
}

export interface LoggedRequest {
  method: string;
  path: string;
  /** 0 if the connection closed before an answer. */
  status: number;
}

export interface RequestLog {
  entries(): LoggedRequest[];
  /** The returned function records that no answer was sent. */
  watch(request: IncomingMessage, response: ServerResponse): () => void;
}

const maxEntries = 10_000;

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

export function createRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  const add = (entry: LoggedRequest): void => {
    if (entries.length >= 2 * maxEntries) entries = entries.slice(-maxEntries);
    entries.push(entry);
  };
  return {
    entries: () => entries.slice(-maxEntries),
    watch(request, response) {
      const { writeHead } = response;
      let entry: LoggedRequest | undefined;
      const note = (status: number): void => {
        if (entry !== undefined) return;
        entry = { method: request.method ?? '', path: pathOf(request.url ?? ''), status };
        add(entry);
      };
      // Node calls `writeHead` for every answer, even if no handler does.
      response.writeHead = (...args: unknown[]) => {
        Reflect.apply(writeHead, response, args);
        note(response.statusCode);
        return response;
      };
      response.once('close', () => note(0));
      return () => {
        note(0);
        if (entry !== undefined) entry.status = 0;
      };
    },
  };
}

const ofStorage: ReadonlySet<ErrorCode> = new Set(storageCodes);

/** Converts storage failures to `not_ready`, as clients should see them. */
export function asNotReady(failure: unknown): unknown {
  const isOfStorage = failure instanceof AppError && ofStorage.has(failure.code);
  return isOfStorage ? new AppError('not_ready', { cause: failure }) : failure;
}

/** Wraps all functions, including those that return a promise, so that storage failures become `not_ready`. */
export function notReadyWhereStorageFails<T extends object>(parts: T): T {
  const refuse = (failure: unknown): never => {
    throw asNotReady(failure);
  };
  const wrap =
    (member: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, parts, args);
        return result instanceof Promise ? result.catch(refuse) : result;
      } catch (failure) {
        return refuse(failure);
      }
    };
  const members = Object.entries(parts).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? wrap(member as (...args: unknown[]) => unknown) : member,
  ]);
  return Object.fromEntries(members) as T;
}
