import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { SearchRow } from '../reports.ts';
import { rowJson } from './column.ts';
import type { Column } from './column.ts';
import { fixedDecimal, quotientMicros } from './exact-decimals.ts';

/** Earnings per click. */
const epc = ({ revenueMicros, clicks }: SearchRow) => quotientMicros(revenueMicros, BigInt(clicks));

/** Revenue per thousand searches. */
const rpm = ({ revenueMicros, total }: SearchRow) => quotientMicros(revenueMicros * 1000n, BigInt(total));

/** The columns of the Search report (contract §2.6). */
export const searchColumns: readonly Column<SearchRow>[] = [
  { name: 'date', kind: 'text', text: ({ date }) => date },
  { name: 'feed', kind: 'number', text: ({ feed }) => String(feed) },
  { name: 'geo', kind: 'text', text: ({ geo }) => geo },
  { name: 'subid', kind: 'text', text: ({ subid }) => subid },
  { name: 'total', kind: 'number-text', text: ({ total }) => String(total) },
  { name: 'monetized', kind: 'number-text', text: ({ monetized }) => String(monetized) },
  { name: 'clicks', kind: 'number-text', text: ({ clicks }) => String(clicks) },
  { name: 'revenue', kind: 'number-text', text: ({ revenueMicros }) => fixedDecimal(revenueMicros) },
  { name: 'epc', kind: 'number-text', text: (row) => fixedDecimal(epc(row)) },
  { name: 'rpm', kind: 'number-text', text: (row) => fixedDecimal(rpm(row)) },
];

/** One row of the Search report as it goes over the wire. */
export function searchRowJson(row: SearchRow): JsonObject {
  return rowJson(searchColumns, row);
}
