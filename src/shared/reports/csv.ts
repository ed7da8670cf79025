import { csvLine, tsvLine, type CsvCell } from '#shared/lib/csv.ts';
import { columnLabel, dimensionLabel, type NamedColumn } from './labels.ts';
import type { DayRange, IncompleteDay } from './range.ts';

/** Everything except days and times may be untrusted text. */
export interface ReportFacts {
  service: string;
  profile: string;
  account: string | null;
  report: string;
  range: DayRange;
  compared: DayRange | null;
  incompleteDay: IncompleteDay | null;
  zone: string;
  /** For example `Only Country: Brazil (BR)`. */
  filters: readonly string[];
  readAtMs: number | null;
  partial: boolean;
}

export interface FileShape {
  dimensions: readonly string[];
  columns: readonly NamedColumn[];
  compared: boolean;
  flagged: boolean;
}

/** `path` is shorter than the dimensions for a subtotal. Values are exact decimal texts. */
export interface FileRow {
  path: readonly (string | null)[];
  values: readonly (string | null)[];
  compared: readonly (string | null)[] | null;
  flag: string;
}

export interface ReportFile {
  facts(facts: ReportFacts): string;
  head: string;
  rows(batch: readonly FileRow[]): string;
  total(label: string, of: Pick<FileRow, 'values' | 'compared'>): string;
}

const flagTitle = 'Unlike the other rows';

const lines = { csv: csvLine, tsv: tsvLine };

/**
 * Formats CSV (RFC 4180) or TSV: exact numbers, texts safe from formulas, missing values empty. With several levels, the
 * first column is the level.
 */
export function reportFile(format: keyof typeof lines, shape: FileShape): ReportFile {
  const line = lines[format];
  const hasLevels = shape.dimensions.length > 1;
  const cellsOf = (values: FileRow['values'], compared: FileRow['compared']): CsvCell[] =>
    shape.columns.flatMap((_, at) => [
      number(values[at] ?? null),
      ...(shape.compared ? [number(compared?.[at] ?? null)] : []),
    ]);
  const lineOf = (level: string, { path, values, compared, flag }: FileRow): string => {
    const levels = shape.dimensions.map((_, at) => text(path[at] ?? ''));
    const flags = shape.flagged ? [text(flag)] : [];
    return line([...(hasLevels ? [text(level)] : []), ...levels, ...cellsOf(values, compared), ...flags]);
  };
  const rowLine = (row: FileRow): string =>
    lineOf(dimensionLabel(shape.dimensions[row.path.length - 1] ?? ''), row);
  return {
    facts: (facts) => `${factLines(facts).map(line).join('')}\r\n`,
    head: line(headCells(shape, hasLevels)),
    rows: (batch) => batch.map(rowLine).join(''),
    total: (label, of) => lineOf(label, { path: hasLevels ? [] : [label], ...of, flag: '' }),
  };
}

export function factPairs(facts: ReportFacts): [name: string, value: string][] {
  const days = ({ from, to }: DayRange): string => (from === to ? from : `${from} to ${to}`);
  const day = facts.incompleteDay;
  const pairs: [string, string | null][] = [
    ['Service', facts.service],
    ['Profile', facts.profile],
    ['Account', facts.account],
    ['Report', facts.report],
    ['Range', days(facts.range)],
    ['Compared with', facts.compared && days(facts.compared)],
    ['Incomplete day', day && (day.isCounted ? day.date : `${day.date}, not in the total`)],
    ['Time zone', facts.zone],
    ['Filters', facts.filters.length > 0 ? facts.filters.join('; ') : 'None'],
    ['Time read', facts.readAtMs === null ? null : moment(facts.readAtMs)],
    ['Partial', facts.partial ? 'Some days are missing' : null],
  ];
  return pairs.filter((pair): pair is [string, string] => pair[1] !== null);
}

function moment(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

function factLines(facts: ReportFacts): CsvCell[][] {
  return factPairs(facts).map(([name, value]) => [text(name), text(value)]);
}

function headCells({ dimensions, columns, compared, flagged }: FileShape, hasLevels: boolean): CsvCell[] {
  return [
    ...(hasLevels ? ['Level'] : []),
    ...dimensions.map(dimensionLabel),
    ...columns.flatMap((column) => {
      const label = columnLabel(column);
      return compared ? [label, `${label} (compared)`] : [label];
    }),
    ...(flagged ? [flagTitle] : []),
  ].map(text);
}

function text(value: string): CsvCell {
  return { kind: 'text', text: value };
}

function number(value: string | null): CsvCell {
  return { kind: 'number', text: value ?? '' };
}

export interface ValueLines {
  text: string;
  lines: number;
  /** Number of values that have no line: empty ones, and values with a line end or control character. */
  skipped: number;
}

const unlistable = /^$|[\p{Cc}\u2028\u2029]/u;

export function valueLines(values: readonly (string | null)[]): ValueLines {
  const distinct = [...new Set(values)];
  const listed = distinct.filter((value): value is string => value !== null && !unlistable.test(value));
  return {
    text: listed.map((value) => `${value}\n`).join(''),
    lines: listed.length,
    skipped: distinct.length - listed.length,
  };
}
