import fastify from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { defaultBodyBytes } from '#core/platform/loopback/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { answerFailure, installFailures } from './failures.ts';
import { installJsonBody } from './json-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a 401 of this route asks for; null where no header can carry it. */
    challenge?: string | null;
  }
}

const longestParameter = 64 * 1024;

/** An application without a server of its own: the guarded listener calls `app.routing`. */
export function createApp({ logger }: { logger: Logger }): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: defaultBodyBytes,
    exposeHeadRoutes: false,
    // The listener limits the whole address: an id of any length meets the same checks as a short one.
    routerOptions: { maxParamLength: longestParameter },
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
