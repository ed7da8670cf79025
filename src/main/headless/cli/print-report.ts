import type { WholeReport } from '#core/public.ts';
import type { ReportSource } from '#shared/app-api/index.ts';
import { concealIssued } from '#shared/lib/credential-shapes.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  columnLabel,
  type DayRange,
  differenceOf,
  dimensionLabel,
  flagText,
  formatValue,
  type IncompleteDay,
  incompleteDayOf,
  reportFile,
} from '#shared/reports/index.ts';
import { type Console, safeJson } from './console.ts';
import type { ReportFormat } from './report-options.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

export interface PrintedReport {
  report: WholeReport;
  service: string;
  source: ReportSource;
  levels: readonly string[];
}

export function printReport(printed: PrintedReport, format: ReportFormat, console: Console): void {
  switch (format) {
    case 'json':
      console.out(concealIssued(jsonOf(printed)));
      return;
    case 'csv':
      printCsv(printed, console);
      return;
    case 'table':
      printTable(printed, { ...console, out: (text = '') => console.out(concealIssued(text)) });
  }
}

function jsonOf({ report, service, source, levels }: PrintedReport): string {
  const { columns, rows, range, counted, compared, incompleteDay, zone, totals, comparedTotals } = report;
  const named = (values: readonly (string | null)[] | null) =>
    values && Object.fromEntries(columns.map(({ id }, at) => [id, values[at] ?? null]));
  const document = {
    service,
    source,
    range,
    counted,
    compared,
    incompleteDay,
    zone,
    readAt: report.readAtMs === null ? null : new Date(report.readAtMs).toISOString(),
    columns,
    rows: rows.map(({ path, values, compared: before, unlike }) => ({
      ...Object.fromEntries(levels.map((level, at) => [level, path[at] ?? null])),
      values: named(values),
      compared: named(before),
      unlike,
    })),
    totals: named(totals),
    comparedTotals: named(comparedTotals),
  };
  return safeJson(document, 2);
}

function incompleteText({ date, isCounted }: IncompleteDay): string {
  return `${date} is incomplete: ${isCounted ? 'counted in' : 'left out of'} totals`;
}

function printCsv({ report, levels }: PrintedReport, { out, err, toTerminal }: Console): void {
  const { columns, rows, compared } = report;
  const day = incompleteDayOf(report);
  // Goes to stderr, because programs read the first output line as column names.
  if (day !== null) err(incompleteText(day));
  const safe = (text: string | null): string | null => (toTerminal && text !== null ? inertText(text) : text);
  const file = reportFile('csv', {
    dimensions: levels.map((level) => safe(level) ?? ''),
    columns: columns.map((column) => ({ ...column, label: safe(column.label) })),
    compared: compared !== null,
    flagged: columns.some(({ kind }) => kind === 'share'),
  });
  const line = (text: string): void => out(text.replace(/\n$/, ''));
  line(file.head);
  for (const row of rows) {
    const flag = flagText(row, columns, defaultFormats);
    line(file.rows([{ path: row.path.map(safe), values: row.values, compared: row.compared, flag }]));
  }
}

function printTable({ report, service, source, levels }: PrintedReport, { out, style }: Console): void {
  const { columns, range, compared, zone } = report;
  const day = incompleteDayOf(report);
  const days = ({ from, to }: DayRange): string => (from === to ? from : `${from} to ${to}`);
  out(style.strong(`${sourceText(source)}, ${days(range)} (${zone})`));
  out(`  service   ${inertText(service)}`);
  if (compared !== null) out(`  compared  ${days(compared)}`);
  if (day !== null) out(`  today     ${incompleteText(day)}`);
  out();
  const head = [...levels.map(dimensionLabel), ...columns.map(columnLabel)].map(inertText);
  const lines = report.rows.map((row) => [
    ...row.path.map((value) => (value === null ? '—' : inertText(value))),
    ...valuesOf(report, row.values, row.compared),
  ]);
  const flags = report.rows.map((row) => flagText(row, columns, defaultFormats));
  const blanks = levels.slice(1).map(() => '');
  const total = ['Total', ...blanks, ...valuesOf(report, report.totals, report.comparedTotals)];
  const widths = head.map((_, at) =>
    [head, total, ...lines].reduce((most, cells) => Math.max(most, widthOf(cells[at] ?? '')), 0),
  );
  const aligned = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const room = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell)));
        return at < levels.length ? cell + room : room + cell;
      })
      .join('  ')
      .trimEnd();
  out(style.quiet(aligned(head)));
  for (const [at, cells] of lines.entries()) {
    const flag = flags[at] ?? '';
    out(flag === '' ? aligned(cells) : `${aligned(cells)}  ⚑ ${flag}`);
  }
  out(style.strong(aligned(total)));
  if (lines.length === 0) out('The service has no rows for these days.');
}

function sourceText(source: ReportSource): string {
  if (source.kind === 'xml') return `XML traffic of source ${source.tid}`;
  return source.sid === null ? 'Search, all feeds' : `Search of feed ${source.sid}`;
}

function valuesOf(
  { columns, compared }: WholeReport,
  values: readonly (string | null)[],
  before: readonly (string | null)[] | null,
): string[] {
  return columns.map((column, at) => {
    const shown = formatValue(column, values[at] ?? null, defaultFormats);
    if (compared === null) return shown;
    const difference = differenceOf(column, values[at] ?? null, before?.[at] ?? null, defaultFormats);
    if (difference === null) return `${shown} (—)`;
    return `${shown} (${difference.ratio ?? difference.absolute})`;
  });
}

function widthOf(text: string): number {
  return [...text].reduce(
    (sum, point) =>
      sum +
      (/\p{M}/u.test(point)
        ? 0
        : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
              point,
            )
          ? 2
          : 1),
    0,
  );
}
