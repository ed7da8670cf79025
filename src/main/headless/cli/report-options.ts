import type { ReportQuery, ReportSource } from '#shared/app-api/index.ts';
import { dayNumber, isTimeZone } from '#shared/campaign/index.ts';
import {
  type Comparison,
  type RangePreset,
  reportDimensions,
  type ReportKind,
} from '#shared/reports/index.ts';

export interface ReportOptions {
  report?: ReportKind;
  tid?: number;
  sid?: number;
  range?: RangePreset;
  from?: string;
  to?: string;
  group: string;
  compare: Comparison;
  format: ReportFormat;
  json?: boolean;
  zone: string;
  key?: string;
  token?: string;
  publisherKey?: string;
}

export const reportFormats = ['table', 'csv', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

export interface AskedReport {
  source: ReportSource | { kind: 'xml'; tid: null };
  query: Omit<ReportQuery, 'source'>;
}

export function readReportOptions(
  options: ReportOptions,
  { isDemo }: { isDemo: boolean },
): { kind: 'fine'; asked: AskedReport } | { kind: 'refused'; faults: string[] } {
  const { tid, sid, group, compare } = options;
  const report = options.report ?? (tid === undefined ? 'search' : 'xml');
  const faults: string[] = [];
  if (report === 'xml' && tid === undefined && !isDemo) {
    faults.push('--tid: XML traffic is that of one source. Say which.');
  }
  if (report === 'xml' && sid !== undefined) faults.push('--sid: XML traffic has no feeds. Leave it out.');
  if (report === 'search' && tid !== undefined)
    faults.push('--tid: Search has no traffic sources. Leave it out.');
  const levels = group.split(',').map((level) => level.trim());
  faults.push(...levelFaults(levels, report));
  if (!isTimeZone(options.zone)) faults.push(`--zone: this is no time zone, such as UTC or Europe/Berlin.`);
  const range = rangeOf(options, faults);
  if (range === null || faults.length > 0) return { kind: 'refused', faults };
  const [first = 'date'] = levels;
  return {
    kind: 'fine',
    asked: {
      source: report === 'xml' ? { kind: 'xml', tid: tid ?? null } : { kind: 'search', sid: sid ?? null },
      query: {
        range,
        comparison: compare,
        includeToday: false,
        levels,
        only: [],
        excluded: [],
        search: '',
        sort: { column: first, descending: false },
      },
    },
  };
}

function levelFaults(levels: readonly string[], report: ReportKind): string[] {
  if (levels.some((level) => level === '') || new Set(levels).size < levels.length) {
    return ['--group: name each dimension once, for example date,geo.'];
  }
  const known = reportDimensions[report];
  if (report === 'xml' && (levels.length > 1 || !known.includes(levels[0] ?? ''))) {
    return [`--group: XML traffic is grouped by one of ${known.join(', ')}.`];
  }
  return levels.length > 8 ? ['--group: at most eight dimensions.'] : [];
}

function rangeOf({ range, from, to }: ReportOptions, faults: string[]): ReportQuery['range'] | null {
  if (from === undefined && to === undefined) return { preset: range ?? 'last7' };
  if (range !== undefined) faults.push('--range: say either a range by its name, or --from and --to.');
  for (const [name, day] of [
    ['--from', from],
    ['--to', to],
  ] as const) {
    if (day === undefined) faults.push(`${name}: say both days of the range.`);
    else if (dayNumber(day) === null) faults.push(`${name}: write a day as YYYY-MM-DD.`);
  }
  if (faults.length > 0 || from === undefined || to === undefined) return null;
  if (from > to) faults.push('--to: the last day must not be before the first one.');
  return { from, to };
}

/** True if the command line contains a key, which every user of the machine can read. */
export function hasKeyInArguments(
  url: string | undefined,
  { key, token, publisherKey }: ReportOptions,
): boolean {
  return [key, token, publisherKey].some((given) => given !== undefined) || /^pk_|[?&]token=/.test(url ?? '');
}
