import type { FastifyInstance } from 'fastify';
import { AppError } from '#shared/errors/index.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Answers 405 for the methods that an address does not take, before anything of the request is read. */
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
