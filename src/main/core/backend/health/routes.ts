import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults/faults.ts';
import { refuseOtherMethods } from '../http/other-methods.ts';
import type { BackendService } from '../service.ts';
import { readinessOf } from './readiness.ts';

/**
 * `/health` and `/ready` (contract §4.3), without credentials. The first answers as long as the process does and touches
 * nothing; the second is 503 and names the part that fails.
 */
export function installHealthRoutes(app: FastifyInstance, service: BackendService, faults: Faults): void {
  app.get('/health', (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/ready', (_request, reply) => {
    const readiness = readinessOf({ store: service.store, faults });
    if (readiness.status === 'not_ready') reply.code(503).header('retry-after', '1');
    return reply.send(readiness);
  });
  refuseOtherMethods(app, '/health', ['GET']);
  refuseOtherMethods(app, '/ready', ['GET']);
}
