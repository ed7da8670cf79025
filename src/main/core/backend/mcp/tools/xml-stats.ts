import { z } from 'zod';
import { xmlGroupings, xmlStatsRowSchema } from '#shared/contract/index.ts';
import { xmlRowJson } from '../../publisher/columns/xml-columns.ts';
import type { PublisherReports } from '../../publisher/reports.ts';
import { defineTool } from '../define-tool.ts';
import type { RemoteTool } from '../tool.ts';
import { isInOrder, notInOrder, rangeShape } from './report-range.ts';

const input = z
  .strictObject({
    tid: z.int().min(1).describe('A traffic source of this account; svc_whoami names them.'),
    ...rangeShape,
    groupBy: z.enum(xmlGroupings).default('day'),
  })
  .refine(isInOrder, notInOrder);

/** `svc_xml_stats` (contract §2.5): the rows of `/xml/stats`. A tid that is not the account's is `source_forbidden`. */
export function xmlStatsTool(reports: PublisherReports): RemoteTool {
  return defineTool({
    name: 'svc_xml_stats',
    title: 'XML traffic statistics',
    description:
      'Traffic of one source over a range of days, by day, country or subid. Today is partial. No rows means no traffic.',
    kind: 'read',
    scopes: [],
    modules: ['xml'],
    input,
    output: z.array(xmlStatsRowSchema),
    async run({ member }, { tid, date_from: from, date_to: to, groupBy }) {
      const rows = await reports.xml({ uid: member.uid, tid, from, to, groupBy });
      return { data: rows.map((row) => xmlRowJson(row, groupBy)) };
    },
  });
}
