import type { ReportColumn, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { isSum } from '#shared/reports/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReportRows, ReportHead } from './report-rows.ts';

interface Ends {
  min: number;
  max: number;
}

export interface HeatState {
  ends: ReadonlyMap<string, Ends>;
  see: (report: { query: ReportQuery; head: ReportHead; rows: ReportRows }) => void;
}

/** Each cell has its own subscription, so that a new block of rows redraws only cells whose shade changes. */
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

function reportKey(query: ReportQuery, { columns, version }: ReportHead): string {
  return JSON.stringify([{ ...query, sort: null }, columns.map(({ id }) => id), version]);
}

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

/** Finer steps would redraw cells for invisible changes. */
const shades = 32;

/** From 0 to 1 within the cell's column and level. Null if there is nothing to compare. */
export function heatOf({ ends }: Pick<HeatState, 'ends'>, row: ReportRow, column: number): number | null {
  const end = ends.get(endsKey(row, column));
  const value = row.values[column] ?? null;
  if (row.excluded || value === null || end === undefined || end.max === end.min) return null;
  const part = (Math.abs(Number(value)) - end.min) / (end.max - end.min);
  return Math.round(Math.min(1, Math.max(0, part)) * shades) / shades;
}
