import type { FastifyInstance } from 'fastify';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { Faults, ServicePart } from './faults/faults.ts';
import { refuseOtherMethods } from './http/create-app.ts';
import type { BackendService } from './service.ts';

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

/** The answer of `/ready`, as `readySchema` describes it. */
interface Readiness {
  status: 'ready' | 'not_ready';
  checks: Record<ServicePart, 'ok' | 'failed'>;
}

/** A hash that no row has: finding nothing takes a read. */
const noHash = '0'.repeat(64);

/** Looks at every part that the service needs (contract §4.3): the OAuth state by a read, the durable storage by a write. */
function readinessOf({ store, faults }: { store: BackendStore; faults: Faults }): Readiness {
  const look = (part: ServicePart, work: () => unknown): 'ok' | 'failed' =>
    faults.isFailing(part) || !isPassed(work) ? 'failed' : 'ok';
  const checks = {
    oauth_storage: look('oauth_storage', () => store.oauth.find('Grant', noHash)),
    durable_storage: look('durable_storage', store.probe),
  };
  const isReady = Object.values(checks).every((check) => check === 'ok');
  return { status: isReady ? 'ready' : 'not_ready', checks };
}

function isPassed(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
