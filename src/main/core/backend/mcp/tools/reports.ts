import { z } from 'zod';
import { xmlGroupings, xmlStatsRowSchema, searchReportRowSchema } from '#shared/contract/index.ts';
import { xmlRowJson, searchRowJson } from '../../publisher/columns.ts';
import type { PublisherReports } from '../../publisher/reports.ts';
import { defineTool, paginationOf } from '../../remote-call/tool.ts';
import type { RemoteTool } from '../../remote-call/tool.ts';
import { isInOrder, notInOrder } from '../../remote-call/arguments.ts';

/** First and last day of a report, both inclusive (contract §4.2). Days of the service are UTC. */
const rangeShape = {
  date_from: z.iso.date().describe('First day, YYYY-MM-DD, UTC.'),
  date_to: z.iso.date().describe('Last day, inclusive, YYYY-MM-DD, UTC.'),
};

/** The most rows of one answer. A range has fewer days than this in years; there may be more subids. */
const maxRows = 1_000;

const xmlInput = z
  .strictObject({
    tid: z.int().min(1).describe('A traffic source of this account; svc_whoami names them.'),
    ...rangeShape,
    groupBy: z.enum(xmlGroupings).default('day'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(maxRows).default(maxRows),
  })
  .refine(isInOrder, notInOrder);

/** `svc_xml_stats` (contract §2.5, §2.7): the rows of `/xml/stats`, a page at a time. A tid that is not the account's is `source_forbidden`. */
export function xmlStatsTool(reports: PublisherReports): RemoteTool {
  return defineTool({
    name: 'svc_xml_stats',
    title: 'XML traffic statistics',
    description:
      'Traffic of one source over a range of days, by day, country or subid. Today is partial. No rows means no traffic. Go on at sourcePagination.nextOffset until complete is true.',
    kind: 'read',
    scopes: [],
    modules: ['xml'],
    input: xmlInput,
    output: z.array(xmlStatsRowSchema),
    async run({ member }, { tid, date_from: from, date_to: to, groupBy, offset, limit }) {
      const rows = await reports.xml({ uid: member.uid, tid, from, to, groupBy });
      const page = rows.slice(offset, offset + limit);
      return {
        data: page.map((row) => xmlRowJson(row, groupBy)),
        sourcePagination: paginationOf({ offset, limit, total: rows.length, items: page.length }),
      };
    },
  });
}

const usualSearchRows = 100;

const searchInput = z
  .strictObject({
    ...rangeShape,
    sid: z.int().min(1).optional().describe('One feed of this account; every feed when left out.'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(maxRows).default(usualSearchRows),
  })
  .refine(isInOrder, notInOrder);

/** `svc_search_report` (contract §2.6): the rows of `/publisher/search-report`, a page at a time. */
export function searchReportTool(reports: PublisherReports): RemoteTool {
  return defineTool({
    name: 'svc_search_report',
    title: 'Search report',
    description:
      'Search traffic by day, feed, country and subid; numbers are decimal texts. Go on at sourcePagination.nextOffset until complete is true.',
    kind: 'read',
    scopes: [],
    modules: ['search'],
    input: searchInput,
    output: z.array(searchReportRowSchema),
    async run({ member }, { date_from: from, date_to: to, sid = null, offset, limit }) {
      const { rows, total } = await reports.search({ uid: member.uid, sid, from, to, offset, limit });
      return {
        data: rows.map(searchRowJson),
        sourcePagination: paginationOf({ offset, limit, total, items: rows.length }),
      };
    },
  });
}
