import type { RouteHandlerMethod } from 'fastify';
import type { RawQuery } from '../http/query-reader.ts';
import type { BackendService } from '../service.ts';
import { authenticateKey } from './authenticate-key.ts';
import { readSearchParameters } from './report-parameters.ts';
import type { PublisherReports } from './reports.ts';
import { sendReport } from './send-report.ts';
import { searchColumns } from './columns/search-columns.ts';

/** GET /publisher/search-report (contract §4.2, §2.6): key, parameters, owner, rows, in this order. */
export function searchReport(
  { store, logger }: BackendService,
  reports: PublisherReports,
): RouteHandlerMethod {
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
