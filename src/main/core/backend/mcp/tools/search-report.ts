import { z } from 'zod';
import { searchReportRowSchema } from '#shared/contract/index.ts';
import { searchRowJson } from '../../publisher/columns.ts';
import type { PublisherReports } from '../../publisher/reports.ts';
import { defineTool } from '../define-tool.ts';
import { paginationOf } from '../source-pagination.ts';
import type { RemoteTool } from '../tool.ts';
import { isInOrder, notInOrder, rangeShape } from './report-range.ts';

const mostRows = 1_000;
const usualRows = 100;

const input = z
  .strictObject({
    ...rangeShape,
    sid: z.int().min(1).optional().describe('One feed of this account; every feed when left out.'),
    offset: z.int().min(0).default(0).describe('How many rows to step over.'),
    limit: z.int().min(1).max(mostRows).default(usualRows),
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
    input,
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
