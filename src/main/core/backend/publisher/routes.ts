import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../http/other-methods.ts';
import type { BackendService } from '../service.ts';
import type { PublisherReports } from './reports.ts';
import { searchReport } from './search-report.ts';
import { xmlStats } from './xml-stats.ts';

/** The key travels in the address, so no header is asked for. */
const byKey = { config: { challenge: null } } as const;

/** `/xml/stats` and `/publisher/search-report` (contract §4.2). */
export function installPublisherRoutes(
  app: FastifyInstance,
  service: BackendService,
  reports: PublisherReports,
): void {
  app.get('/xml/stats', byKey, xmlStats(service, reports));
  app.get('/publisher/search-report', byKey, searchReport(service, reports));
  refuseOtherMethods(app, '/xml/stats', ['GET']);
  refuseOtherMethods(app, '/publisher/search-report', ['GET']);
}
