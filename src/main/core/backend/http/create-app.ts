import fastify from 'fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { defaultBodyBytes } from '#core/platform/loopback/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { installFaults } from '../faults/install-faults.ts';
import type { Faults } from '../faults/faults.ts';
import { answerFailure, installFailures } from './failures.ts';
import { installJsonBody } from './json-body.ts';
import { createRequestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a 401 of this route asks for; null where no header can carry it. */
    challenge?: string | null;
  }
}

const longestParameter = 64 * 1024;

/** An application without a server of its own: the guarded listener calls `app.routing`. */
export function createApp({ faults, logger }: { faults: Faults; logger: Logger }): {
  app: FastifyInstance;
  log: RequestLog;
} {
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
  const log = createRequestLog();
  installFaults(app, faults, log);
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { challenge = 'Bearer' } = request.routeOptions.config;
    if (reply.statusCode === 401 && challenge !== null) reply.header('www-authenticate', challenge);
    log.note(request, reply.statusCode);
    done();
  });
  return { app, log };
}
