import type { FastifyInstance } from 'fastify';
import type { BackendService } from '../service.ts';

/** `/uploads/{name}`: uploaded icons and images, at an address that never changes. */
export function installUploadRoutes(app: FastifyInstance, service: BackendService): void {
  void app;
  void service;
}
