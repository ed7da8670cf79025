import type { FastifyInstance } from 'fastify';
import type { BackendService } from '../service.ts';
import type { PublisherReports } from './reports.ts';

/** `/xml/stats` and `/publisher/search-report` (contract §4.2). */
export function installPublisherRoutes(
  app: FastifyInstance,
  service: BackendService,
  reports: PublisherReports,
): void {
  void app;
  void service;
  void reports;
}
