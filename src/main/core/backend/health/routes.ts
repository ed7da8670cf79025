import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults/faults.ts';
import type { BackendService } from '../service.ts';

/** `/health` and `/ready` (contract §4.3). */
export function installHealthRoutes(app: FastifyInstance, service: BackendService, faults: Faults): void {
  void app;
  void service;
  void faults;
}
