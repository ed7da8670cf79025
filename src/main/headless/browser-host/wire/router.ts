import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '#core/platform/logger.ts';
import type { LoopbackHandler } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { answerFailure } from './answer.ts';

/** One thing that an origin answers. */
export interface Route {
  method: 'GET' | 'POST';
  /** The whole path, or everything below it when it ends in `/`. `/` itself means everything. */
  path: string;
  /** Answers, or rejects with what went wrong. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

/** Makes the handler of one origin: the first route whose path fits answers; another method there is 405. */
export function createRouter(routes: readonly Route[], logger: Logger): LoopbackHandler {
  async function run(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const fitting = routes.filter((route) => fits(route.path, path));
    const [nearest] = fitting;
    if (nearest === undefined) throw new AppError('not_found');
    // Only the nearest path counts: what it does not answer must not fall through to the pages.
    const [route] = fitting.filter(
      (candidate) => candidate.path === nearest.path && candidate.method === request.method,
    );
    if (route === undefined) {
      response.setHeader('allow', nearest.method);
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
