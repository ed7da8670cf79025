import type { ReportColumn, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { isSum } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReportRows, ReportHead } from './report-rows.ts';

interface Ends {
  min: number;
  max: number;
}

/** The ends of every column and level of the report that is shown, by {@link endsKey}. */
export interface HeatState {
  ends: ReadonlyMap<string, Ends>;
  /** Takes the rows that were read into account; those of the same report only add to what is known. */
  see: (report: { query: ReportQuery; head: ReportHead; rows: ReportRows }) => void;
}

/**
 * Makes the store of heat. Cells follow it one by one: a block of rows that arrives while a person scrolls draws again only the cells
 * whose shade it changes, and only its own rows are looked through.
 */
export function createHeatStore(): StoreApi<HeatState> {
  return createStore<HeatState>((set, get) => {
    let report = '';
    let seen = new WeakSet<readonly ReportRow[]>();
    return {
      ends: new Map(),
      see({ query, head, rows }) {
        const shown = reportKey(query, head);
        const isOther = shown !== report;
        if (isOther) {
          report = shown;
          seen = new WeakSet();
        }
        const ends = isOther ? new Map<string, Ends>() : new Map(get().ends);
        let isWider = isOther;
        for (const { rows: block, stale } of rows.blocks.values()) {
          if (stale || seen.has(block)) continue;
          seen.add(block);
          for (const row of block) isWider = widen(ends, row, head.columns) || isWider;
        }
        if (isWider) set({ ends });
      },
    };
  });
}

/** The same for answers whose rows are shaded against each other, whatever their order. */
function reportKey(query: ReportQuery, { columns, version }: ReportHead): string {
  return JSON.stringify([{ ...query, sort: null }, columns.map(({ id }) => id), version]);
}

/** Sums are shaded from nothing up, ratios from the least of them. Excluded rows count in no column. */
function widen(ends: Map<string, Ends>, row: ReportRow, columns: readonly ReportColumn[]): boolean {
  if (row.excluded) return false;
  let isWider = false;
  row.values.forEach((text, at) => {
    if (text === null) return;
    const value = Math.abs(Number(text));
    const key = endsKey(row, at);
    const known = ends.get(key);
    if (known !== undefined && value >= known.min && value <= known.max) return;
    const { min, max } = known ?? { min: isSum(columns[at]?.kind ?? 'count') ? 0 : value, max: value };
    ends.set(key, { min: Math.min(min, value), max: Math.max(max, value) });
    isWider = true;
  });
  return isWider;
}

const endsKey = ({ path }: Pick<ReportRow, 'path'>, column: number): string => `${path.length} ${column}`;

/** Shades that are told apart: a finer one would draw cells again for a change that nobody sees. */
const shades = 32;

/**
 * The strength of a cell's shade, from 0 to 1, against the values of its column and level among the rows that were read; null where
 * there is nothing to compare.
 */
export function heatOf({ ends }: Pick<HeatState, 'ends'>, row: ReportRow, column: number): number | null {
  const end = ends.get(endsKey(row, column));
  const value = row.values[column] ?? null;
  if (row.excluded || value === null || end === undefined || end.max === end.min) return null;
  const part = (Math.abs(Number(value)) - end.min) / (end.max - end.min);
  return Math.round(Math.min(1, Math.max(0, part)) * shades) / shades;
}
