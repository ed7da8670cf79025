import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyJsonLimits, headerValues, type Logger, type LoopbackHandler, readBody } from '#core/public.ts';
import {
  AppError,
  catalogue,
  encodeError,
  type InputSchema,
  parseInput,
  parseStrictJson,
} from '#shared/errors/index.ts';

export interface Route {
  method: 'GET' | 'POST';
  /** An exact path, or everything below it if it ends in `/`. `/` means every path. */
  path: string;
  answer(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

export function createRouter(routes: readonly Route[], logger: Logger): LoopbackHandler {
  async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const fitting = routes.filter((route) => fits(route.path, path));
    const [nearest] = fitting;
    if (nearest === undefined) throw new AppError('not_found');
    // Only the nearest path counts, so that a request that it does not answer cannot reach the pages.
    const [route] = fitting.filter(
      (candidate) => candidate.path === nearest.path && candidate.method === request.method,
    );
    if (route === undefined) {
      const offered = fitting.filter(({ path: offer }) => offer === nearest.path).map(({ method }) => method);
      response.setHeader('allow', [...new Set(offered)].join(', '));
      throw new AppError('method_not_allowed');
    }
    await route.answer(request, response, path);
  }
  return (request, response) => {
    run(request, response).catch((failure: unknown) => answerFailure(response, failure, logger));
  };
}

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern;
}

export function answerJson(response: ServerResponse, body: Record<string, unknown>): void {
  response.statusCode = 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

function answerFailure(response: ServerResponse, failure: unknown, logger: Logger): void {
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

/** The secret in `x-countersign-secret`; undefined if absent or sent twice. Not a cookie: all ports of 127.0.0.1 share cookies. */
export function secretOf(request: IncomingMessage): string | undefined {
  const [secret, ...more] = headerValues(request, 'x-countersign-secret');
  return more.length > 0 ? undefined : secret;
}

/** Reads a JSON body. Fails with `unsupported_media_type`, `payload_too_large`, `json_*`, or `bad_input` naming every invalid field. */
export async function readInput<T>(request: IncomingMessage, schema: InputSchema<T>): Promise<T> {
  // A form of a foreign page cannot send this type without a preflight request.
  const [type, ...more] = headerValues(request, 'content-type');
  if (more.length > 0 || !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new AppError('unsupported_media_type');
  }
  return parseInput(schema, parseStrictJson(utf8(await readBody(request)), bodyJsonLimits));
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('json_invalid', { cause });
  }
}
