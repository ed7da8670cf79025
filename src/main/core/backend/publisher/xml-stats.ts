import type { RouteHandlerMethod } from 'fastify';
import type { RawQuery } from '../http/query-reader.ts';
import type { BackendService } from '../service.ts';
import { authenticateKey } from './authenticate-key.ts';
import { inBatches } from './in-batches.ts';
import { readXmlParameters } from './report-parameters.ts';
import type { PublisherReports } from './reports.ts';
import { sendReport } from './send-report.ts';
import { xmlColumns } from './columns/xml-columns.ts';

/** GET /xml/stats (contract §4.2, §2.5): key, parameters, owner, rows, in this order. */
export function xmlStats({ store, logger }: BackendService, reports: PublisherReports): RouteHandlerMethod {
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
