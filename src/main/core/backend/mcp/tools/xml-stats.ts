import { z } from 'zod';
import { xmlGroupings, xmlStatsRowSchema } from '#shared/contract/index.ts';
import { xmlRowJson } from '../../publisher/columns.ts';
import type { PublisherReports } from '../../publisher/reports.ts';
import { defineTool } from '../define-tool.ts';
import { paginationOf } from '../source-pagination.ts';
import type { RemoteTool } from '../tool.ts';
import { isInOrder, notInOrder, rangeShape } from './report-range.ts';

/** A range has fewer days than this in years; there may be more subids. */
const mostRows = 1_000;

const input = z
  .strictObject({
    tid: z.int().min(1).describe('A traffic source of this account; svc_whoami names them.'),
    ...rangeShape,
    groupBy: z.enum(xmlGroupings).default('day'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(mostRows).default(mostRows),
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
    input,
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
