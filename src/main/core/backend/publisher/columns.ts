import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { SearchRow, XmlRow } from '#core/store/backend/index.ts';
import type { XmlGrouping } from '#shared/contract/index.ts';

/**
 * One column of a report, for JSON and CSV alike. A `number` is a JSON number with these very digits; a `number-text` is
 * the contract's decimal string (§2.6); a `text` may be anything.
 */
export interface Column<Row> {
  name: string;
  kind: 'text' | 'number' | 'number-text';
  text(row: Row): string;
}

/** A row as JSON text; its numbers have the digits of the columns, whatever a double could hold. */
export function rowText<Row>(columns: readonly Column<Row>[], row: Row): string {
  let text = '{';
  for (const { name, kind, text: textOf } of columns) {
    const value = textOf(row);
    text += `${text === '{' ? '' : ','}"${name}":${kind === 'number' ? value : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** A row as a JSON value. Money is exact up to 4.5 billion; beyond that a double has no room for six decimals. */
function rowJson<Row>(columns: readonly Column<Row>[], row: Row): JsonObject {
  return JSON.parse(rowText(columns, row)) as JsonObject;
}

const epc = ({ revenueMicros, clicks }: SearchRow) => quotientMicros(revenueMicros, BigInt(clicks));

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

const microDigits = 6;
const unit = 10n ** BigInt(microDigits);

/** Integer micros as a decimal without digits that say nothing: `12.5`, `0`, `-0.000001`. */
export function plainDecimal(micros: bigint): string {
  const text = fixedDecimal(micros);
  return text.replace(/\.?0+$/, '');
}

/** Integer micros with all six decimals: `12.500000`. */
export function fixedDecimal(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = (size % unit).toString().padStart(microDigits, '0');
  return `${micros < 0n ? '-' : ''}${size / unit}.${fraction}`;
}

/** `over` / `under` as integer micros, half away from zero; nothing over nothing is 0. */
export function quotientMicros(overMicros: bigint, under: bigint): bigint {
  if (under === 0n) return 0n;
  const isNegative = overMicros < 0n !== under < 0n;
  const [a, b] = [overMicros < 0n ? -overMicros : overMicros, under < 0n ? -under : under];
  const rounded = (2n * a + b) / (2n * b);
  return isNegative ? -rounded : rounded;
}
