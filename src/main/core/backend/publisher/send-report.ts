import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from '#core/platform/logger.ts';
import type { ExportFormat, XmlGrouping } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { inertCell, quotedCell } from '#shared/lib/csv.ts';
import type { DayRange } from './reports.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { SearchRow, XmlRow } from '#core/store/backend/index.ts';

interface ReportData<Row> extends ReportShape<Row> {
  /** Base of the file name; contains only letters and dashes. */
  name: string;
  total: number;
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

interface SendOptions extends DayRange {
  format: ExportFormat | null;
  logger: Logger;
}

/**
 * Contract §4.2. Fails with `no_data` for an export without rows. After the first batch a failure closes the connection, so that
 * no client mistakes an incomplete report for a complete one.
 */
export async function sendReport<Row>(
  reply: FastifyReply,
  report: ReportData<Row>,
  { format, from, to, logger }: SendOptions,
): Promise<FastifyReply> {
  if (format !== null && report.total === 0) throw new AppError('no_data');
  const writer = reportWriter(format ?? 'json', report);
  const pieces = piecesOf(report, writer);
  const first = await pieces.next();
  async function* encodeChunks(): AsyncGenerator<Buffer> {
    if (first.done !== true) yield Buffer.from(first.value);
    try {
      for await (const piece of pieces) yield Buffer.from(piece);
    } catch (failure) {
      logger.error({ err: failure }, 'A report broke off');
      throw failure;
    }
  }
  if (format !== null) {
    reply.header('content-disposition', `attachment; filename="${report.name}_${from}_${to}.${format}"`);
  }
  return reply
    .header('content-type', writer.mediaType)
    .send(Readable.from(encodeChunks(), { objectMode: false }));
}

async function* piecesOf<Row>(
  { batches }: ReportData<Row>,
  { head, between, foot, rows }: ReportWriter<Row>,
): AsyncGenerator<string> {
  let before = head;
  for await (const batch of batches) {
    yield before + rows(batch);
    before = between;
  }
  yield before === head ? head + foot : foot;
}

export interface ReportWriter<Row> {
  mediaType: string;
  head: string;
  between: string;
  foot: string;
  rows(batch: readonly Row[]): string;
}

export interface ReportShape<Row> {
  label: string;
  columns: readonly Column<Row>[];
}

/** The envelope of the contract (§2.1), or CSV (RFC 4180). */
export function reportWriter<Row>(format: ExportFormat, report: ReportShape<Row>): ReportWriter<Row> {
  switch (format) {
    case 'json':
      return jsonWriter(report);
    case 'csv':
      return csvWriter(report);
    default:
      return assertNever(format);
  }
}

function jsonWriter<Row>({ label, columns }: ReportShape<Row>): ReportWriter<Row> {
  return {
    mediaType: 'application/json; charset=utf-8',
    head: `{"status":"success","message":${JSON.stringify(label)},"data":[`,
    between: ',',
    foot: ']}',
    rows: (batch) => batch.map((row) => rowText(columns, row)).join(','),
  };
}

function csvWriter<Row>({ columns }: ReportShape<Row>): ReportWriter<Row> {
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: csvHeader(columns),
    between: '',
    foot: '',
    rows: (batch) => batch.map((row) => csvLine(columns, row)).join(''),
  };
}

function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ name }) => quotedCell(name)).join(',')}\r\n`;
}

/** RFC 4180 §2. Text that a spreadsheet would run as a formula is made inert. csv-stringify takes five times as long. */
function csvLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  let line = '';
  let separator = '';
  for (const { kind, text } of columns) {
    const value = text(row);
    line += separator + (kind === 'text' ? quotedCell(inertCell(value)) : value);
    separator = ',';
  }
  return `${line}\r\n`;
}

/** `number` is written as a JSON number with exactly these digits, `number-text` as the contract's decimal string (§2.6). */
export interface Column<Row> {
  name: string;
  kind: 'text' | 'number' | 'number-text';
  text(row: Row): string;
}

/** Writes numbers from their text, because a double would lose digits. */
function rowText<Row>(columns: readonly Column<Row>[], row: Row): string {
  let text = '{';
  for (const { name, kind, text: textOf } of columns) {
    const value = textOf(row);
    text += `${text === '{' ? '' : ','}"${name}":${kind === 'number' ? value : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

function rowJson<Row>(columns: readonly Column<Row>[], row: Row): JsonObject {
  return JSON.parse(rowText(columns, row)) as JsonObject;
}

const epc = ({ revenueMicros, clicks }: SearchRow) => quotientMicros(revenueMicros, BigInt(clicks));

const rpm = ({ revenueMicros, total }: SearchRow) => quotientMicros(revenueMicros * 1000n, BigInt(total));

/** Contract §2.6. */
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

export function searchRowJson(row: SearchRow): JsonObject {
  return rowJson(searchColumns, row);
}

const groupColumnNames: Readonly<Record<XmlGrouping, string>> = { day: 'date', geo: 'geo', subid: 'subid' };

const metricColumns: readonly Column<XmlRow>[] = [
  { name: 'gross_requests', kind: 'number', text: (row) => String(row.grossRequests) },
  { name: 'gross_clicks', kind: 'number', text: (row) => String(row.grossClicks) },
  { name: 'gross_valid', kind: 'number', text: (row) => String(row.grossValid) },
  { name: 'gross_invalid', kind: 'number', text: (row) => String(row.grossInvalid) },
  { name: 'gross_revenue', kind: 'number', text: (row) => plainDecimal(row.grossRevenueMicros) },
  { name: 'net_requests', kind: 'number', text: (row) => String(row.netRequests) },
  { name: 'net_clicks', kind: 'number', text: (row) => String(row.netClicks) },
  { name: 'net_revenue', kind: 'number', text: (row) => plainDecimal(row.netRevenueMicros) },
];

/** Contract §2.5. */
export function xmlColumns(groupBy: XmlGrouping): Column<XmlRow>[] {
  return [{ name: groupColumnNames[groupBy], kind: 'text', text: ({ group }) => group }, ...metricColumns];
}

export function xmlRowJson(row: XmlRow, groupBy: XmlGrouping): JsonObject {
  return rowJson(xmlColumns(groupBy), row);
}

const microDigits = 6;
const microsPerUnit = 10n ** BigInt(microDigits);

/** For example `12.5`, `0`, `-0.000001`. */
export function plainDecimal(micros: bigint): string {
  const text = fixedDecimal(micros);
  return text.replace(/\.?0+$/, '');
}

export function fixedDecimal(micros: bigint): string {
  const absolute = micros < 0n ? -micros : micros;
  const fraction = (absolute % microsPerUnit).toString().padStart(microDigits, '0');
  return `${micros < 0n ? '-' : ''}${absolute / microsPerUnit}.${fraction}`;
}

/** Rounds half away from zero; 0 divided by 0 is 0. */
export function quotientMicros(numeratorMicros: bigint, denominator: bigint): bigint {
  if (denominator === 0n) return 0n;
  const isNegative = numeratorMicros < 0n !== denominator < 0n;
  const [a, b] = [
    numeratorMicros < 0n ? -numeratorMicros : numeratorMicros,
    denominator < 0n ? -denominator : denominator,
  ];
  const rounded = (2n * a + b) / (2n * b);
  return isNegative ? -rounded : rounded;
}
