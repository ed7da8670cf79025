import type { XmlGrouping } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { XmlRow } from '../reports.ts';
import { rowJson } from './column.ts';
import type { Column } from './column.ts';
import { plainDecimal } from './exact-decimals.ts';

const groupNames: Readonly<Record<XmlGrouping, string>> = { day: 'date', geo: 'geo', subid: 'subid' };

const sums: readonly Column<XmlRow>[] = [
  { name: 'gross_requests', kind: 'number', text: (row) => String(row.grossRequests) },
  { name: 'gross_clicks', kind: 'number', text: (row) => String(row.grossClicks) },
  { name: 'gross_valid', kind: 'number', text: (row) => String(row.grossValid) },
  { name: 'gross_invalid', kind: 'number', text: (row) => String(row.grossInvalid) },
  { name: 'gross_revenue', kind: 'number', text: (row) => plainDecimal(row.grossRevenueMicros) },
  { name: 'net_requests', kind: 'number', text: (row) => String(row.netRequests) },
  { name: 'net_clicks', kind: 'number', text: (row) => String(row.netClicks) },
  { name: 'net_revenue', kind: 'number', text: (row) => plainDecimal(row.netRevenueMicros) },
];

/** The columns of the XML statistics (contract §2.5): `geo` or `subid` stands in the place of `date`. */
export function xmlColumns(groupBy: XmlGrouping): Column<XmlRow>[] {
  return [{ name: groupNames[groupBy], kind: 'text', text: ({ group }) => group }, ...sums];
}

/** One row of the XML statistics as it goes over the wire. */
export function xmlRowJson(row: XmlRow, groupBy: XmlGrouping): JsonObject {
  return rowJson(xmlColumns(groupBy), row);
}
