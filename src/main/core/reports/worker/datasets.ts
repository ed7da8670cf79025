import { createHash } from 'node:crypto';
import type { ReportCache, ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import { AppError } from '#shared/errors/index.ts';
import { metricOf } from '#shared/reports/index.ts';
import { Dataset } from '../query/dataset.ts';
import { type Table, withDate } from '../tables/table.ts';
import { TableAppender } from '../tables/append.ts';
import { decodeTable, tableBytes } from '../tables/blob.ts';
import type { AnswerAge, RowSlices } from './messages.ts';

export interface AgedDataset extends AnswerAge {
  dataset: Dataset;
  /** A hash of the slices and their read times; unchanged by a reload from disk. */
  version: string;
}

/** Caches the rows of recent queries, so that another page or order reads nothing from disk. */
export interface Datasets {
  of(scope: ReportScope, rows: RowSlices): AgedDataset;
  ofDays(scope: ReportScope, slices: readonly SliceAddress[]): AgedDataset;
  invalidate(scope: ReportScope): void;
  keep(scope: ReportScope, slices: readonly SliceAddress[], rows: { table: Table; readAtMs: number }): void;
  forget(profile: string): void;
}

/** Limit for cached tables, not counting the latest: enough for many small tables, too little for a million rows. */
const maxCachedBytes = 24 * 2 ** 20;

interface CachedDataset extends AgedDataset {
  scope: ReportScope;
  bytes: number;
}

export function createDatasets(cache: ReportCache): Datasets {
  const recent = new Map<string, CachedDataset>();
  let latest: { scope: ReportScope; key: string; table: Table; readAtMs: number } | null = null;

  function remember(key: string, made: CachedDataset): CachedDataset {
    recent.set(key, made);
    let bytes = [...recent.values()].reduce((sum, each) => sum + each.bytes, 0) - made.bytes;
    for (const [oldKey, old] of recent) {
      if (bytes <= maxCachedBytes || old === made) break;
      recent.delete(oldKey);
      bytes -= old.bytes;
    }
    return made;
  }

  function find(key: string, make: () => CachedDataset): AgedDataset {
    const known = recent.get(key);
    recent.delete(key);
    const { dataset, version, readAtMs, partial } = remember(key, known ?? make());
    return { dataset, version, readAtMs, partial };
  }

  function make(scope: ReportScope, { current, compared, shiftDays }: RowSlices): CachedDataset {
    const rows = takeLatest(scope, current) ?? readSlices(cache, scope, current);
    const before = compared === null ? null : readSlices(cache, scope, compared);
    const table = rows.table;
    const dataset = new Dataset({
      kind: scope.report,
      current: table,
      compared: before?.table ?? null,
      shiftDays,
    });
    const times = [...rows.times, ...(before?.times ?? [])];
    return {
      scope,
      dataset,
      ...ageOf([current, compared], times),
      bytes: tableBytes(table) + (before === null ? 0 : tableBytes(before.table)),
    };
  }

  /** Clears `latest`: from now on either a dataset contains the rows or nothing needs them. */
  function takeLatest(scope: ReportScope, slices: readonly SliceAddress[]): SliceRows | null {
    const rows = latest;
    latest = null;
    if (rows === null || rows.key !== JSON.stringify([scope, slices])) return null;
    return { table: rows.table, times: slices.map(() => rows.readAtMs) };
  }

  return {
    of: (scope, rows) => find(JSON.stringify([scope, rows]), () => make(scope, rows)),
    ofDays: (scope, slices) =>
      find(JSON.stringify([scope, 'days', slices]), () => {
        const { table, times } = readSlices(cache, scope, slices, withDate);
        const dataset = new Dataset({ kind: scope.report, current: table, compared: null, shiftDays: 0 });
        return {
          scope,
          dataset,
          ...ageOf(slices, times),
          bytes: tableBytes(table),
        };
      }),
    keep(scope, slices, { table, readAtMs }) {
      latest = { scope, key: JSON.stringify([scope, slices]), table, readAtMs };
    },
    invalidate({ profile, keyHash, report, source }) {
      latest = null;
      for (const [key, { scope }] of recent) {
        const hasSameOwner = scope.profile === profile && scope.keyHash === keyHash;
        if (hasSameOwner && scope.report === report && scope.source === source) recent.delete(key);
      }
    },
    forget(profile) {
      if (latest?.scope.profile === profile) latest = null;
      for (const [key, { scope }] of recent) if (scope.profile === profile) recent.delete(key);
    },
  };
}

interface SliceRows {
  table: Table;
  times: (number | null)[];
}

function readSlices(
  cache: ReportCache,
  scope: ReportScope,
  slices: readonly SliceAddress[],
  finish: (table: Table, date: string) => Table = (table) => table,
): SliceRows {
  const appender = new TableAppender((id) => metricOf(scope.report, id) !== undefined);
  const times = slices.map((address) => {
    const found = cache.read(scope, address);
    const table = found === null ? null : tryDecodeTable(found.body);
    if (found === null || table === null) return null;
    appender.add(finish(table, address.from));
    return found.readAtMs;
  });
  return { table: appender.finish(), times };
}

function tryDecodeTable(body: Uint8Array): Table | null {
  try {
    return decodeTable(body);
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

function ageOf(slices: unknown, times: readonly (number | null)[]): Omit<AgedDataset, 'dataset'> {
  return {
    version: createHash('sha256')
      .update(JSON.stringify([slices, times]))
      .digest('hex'),
    readAtMs: oldestTime(times),
    partial: times.includes(null),
  };
}

function oldestTime(times: readonly (number | null)[]): number | null {
  return times.reduce(
    (least, time) => (time === null || (least !== null && least < time) ? least : time),
    null,
  );
}
