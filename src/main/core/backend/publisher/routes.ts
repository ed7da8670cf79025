import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { refuseOtherMethods } from '../http/create-app.ts';
import type { BackendService } from '../service.ts';
import { type RawQuery, QueryReader } from '../http/query-reader.ts';
import { type PublisherReports, type DayRange } from './reports.ts';
import { authenticateKey } from '../authentication.ts';
import { sendReport, xmlColumns, searchColumns } from './send-report.ts';
import { exportFormats, xmlGroupings, type ExportFormat } from '#shared/contract/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The key is in the URL, so a 401 must not ask for an `Authorization` header. */
const keyRouteOptions = { config: { challenge: null } } as const;

export function installPublisherRoutes(
  app: FastifyInstance,
  service: BackendService,
  reports: PublisherReports,
): void {
  app.get('/xml/stats', keyRouteOptions, xmlStats(service, reports));
  app.get('/publisher/search-report', keyRouteOptions, searchReport(service, reports));
  refuseOtherMethods(app, '/xml/stats', ['GET']);
  refuseOtherMethods(app, '/publisher/search-report', ['GET']);
}

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

function* inBatches<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
}

/** Contract §4.2. Fails with `validation_failed`; unknown parameters are ignored. */
function readXmlParameters(query: RawQuery) {
  const reader = new QueryReader(query);
  const tid = readSource(reader, 'tid');
  const range = readRange(reader);
  const groupBy = reader.oneOf('groupBy', { words: xmlGroupings, otherwise: 'day' });
  const format = readFormat(reader);
  reader.finish();
  return { tid, ...range, groupBy, format };
}

function readSearchParameters(query: RawQuery) {
  const reader = new QueryReader(query);
  const range = readRange(reader);
  const sid = reader.positiveInteger('sid');
  const format = readFormat(reader);
  reader.finish();
  return { ...range, sid, format };
}

function readSource(reader: QueryReader, name: string): number {
  reader.require(name);
  return reader.positiveInteger(name) ?? 0;
}

function readRange(reader: QueryReader): DayRange {
  const from = reader.day('date_from');
  const to = reader.day('date_to');
  if (from !== '' && to !== '' && from > to) {
    reader.fail('date_to', 'out_of_range', sentence`date_to must not be before date_from.`);
  }
  return { from, to };
}

function readFormat(reader: QueryReader): ExportFormat | null {
  return reader.oneOf<ExportFormat | ''>('export', { words: exportFormats, otherwise: '' }) || null;
}
