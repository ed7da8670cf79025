import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { refuseOtherMethods } from '../http/create-app.ts';
import type { BackendService } from '../service.ts';
import type { RawQuery } from '../http/query-reader.ts';
import type { PublisherReports } from './reports.ts';
import { authenticateKey } from './publisher-key.ts';
import { readXmlParameters, readSearchParameters } from './report-parameters.ts';
import { sendReport } from './send-report.ts';
import { xmlColumns, searchColumns } from './columns.ts';

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

/** GET /xml/stats (contract §4.2, §2.5): key, parameters, owner, rows, in this order. */
function xmlStats({ store, logger }: BackendService, reports: PublisherReports): RouteHandlerMethod {
  return async (request, reply) => {
    const query = request.query as RawQuery;
    const key = authenticateKey(store.publisherKeys, query, 'publisher:xml:read');
    const parameters = readXmlParameters(query);
    const { tid, groupBy, from, to } = parameters;
    const rows = await reports.xml({ uid: key.uid, tid, groupBy, from, to, only: key.tids });
    const found = {
      name: 'xml-stats',
      label: `XML statistics by ${groupBy}`,
      columns: xmlColumns(groupBy),
      total: rows.length,
      batches: inBatches(rows),
    };
    return sendReport(reply, found, { ...parameters, logger });
  };
}

/** GET /publisher/search-report (contract §4.2, §2.6): key, parameters, owner, rows, in this order. */
function searchReport({ store, logger }: BackendService, reports: PublisherReports): RouteHandlerMethod {
  return async (request, reply) => {
    const query = request.query as RawQuery;
    const key = authenticateKey(store.publisherKeys, query, 'publisher:search:read');
    const parameters = readSearchParameters(query);
    const { sid, from, to } = parameters;
    const found = await reports.searchAll({ uid: key.uid, sid, from, to, only: key.feeds });
    const report = { name: 'search-report', label: 'Search report', columns: searchColumns, ...found };
    return sendReport(reply, report, { ...parameters, logger });
  };
}

const batchRows = 1_000;

/** A list in pieces, each made into text only when it is asked for. */
function* inBatches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
}
