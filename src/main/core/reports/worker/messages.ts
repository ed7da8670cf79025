import type { ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import type { DrillRow, ReportPage, ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import type { EncodedError } from '#shared/errors/index.ts';
import type { AlertHistory, AlertTrial, DayRange } from '#shared/reports/index.ts';

/** The kind of report, which decides the kinds of its columns (contract §2.5, §2.6). */
export type ReportShape = { kind: 'xml'; groupBy: 'day' | 'geo' | 'subid' } | { kind: 'search' };

export type GroupPath = readonly (string | null)[];

export type PagePart = Omit<
  ReportPage,
  'range' | 'counted' | 'compared' | 'incompleteDay' | 'zone' | 'version' | 'state'
>;

export interface QueryDays {
  range: DayRange;
  compared: DayRange | null;
  /** Not counted in totals and comparisons unless `query.includeToday` is set. */
  incompleteDay: string | null;
}

export interface PageQuestion extends QueryDays {
  query: ReportQuery;
  expanded: readonly GroupPath[];
  offset: number;
  limit: number;
}

export interface DrillQuestion {
  query: Pick<ReportQuery, 'only' | 'excluded' | 'includeToday' | 'sort'>;
  of: ReportValue | null;
  by: string;
}

export interface RowSlices {
  current: SliceAddress[];
  compared: SliceAddress[] | null;
  shiftDays: number;
}

export interface AnswerAge {
  readAtMs: number | null;
  partial: boolean;
}

export interface WorkerRequests {
  readTimes: { input: { scope: ReportScope; slices: SliceAddress[] }; output: (number | null)[] };
  /** The caller chooses the number `answer`. */
  beginAnswer: { input: { answer: number; shape: ReportShape }; output: null };
  readBytes: { input: { answer: number; bytes: Uint8Array<ArrayBuffer> }; output: null };
  endAnswer: {
    input: { answer: number; scope: ReportScope; slices: SliceAddress[]; readAtMs: number };
    output: null;
  };
  dropAnswer: { input: { answer: number }; output: null };
  keepEmpty: { input: { scope: ReportScope; slices: SliceAddress[]; readAtMs: number }; output: null };
  /** `series`: slices by day for XML traffic whose own rows have no date. Fails with `number_too_large`. */
  page: {
    input: { scope: ReportScope; rows: RowSlices; series: RowSlices | null; question: PageQuestion };
    output: PagePart & AnswerAge & { version: string };
  };
  drill: {
    input: { scope: ReportScope; slices: SliceAddress[]; question: DrillQuestion };
    output: Pick<ReportPage, 'columns'> & {
      rows: DrillRow[];
      rowCount: number;
    } & AnswerAge;
  };
  /** `slices` are the complete days. A day without rows counts as a day without traffic. */
  alertHistory: {
    input: {
      scope: ReportScope;
      slices: SliceAddress[];
      question: { only: ReportValue | null; trial: AlertTrial; today: string };
    };
    output: AlertHistory;
  };
  useSource: { input: { scope: ReportScope }; output: null };
  sources: {
    input: { profile: string; keyHash: string };
    output: { tids: number[]; sids: number[] };
  };
  forget: { input: { profile: string; keyHash: string | null }; output: null };
  close: { input: null; output: null };
}

export type WorkerRequestKind = keyof WorkerRequests;
export type WorkerInput<K extends WorkerRequestKind> = WorkerRequests[K]['input'];
export type WorkerOutput<K extends WorkerRequestKind> = WorkerRequests[K]['output'];

export type WorkerRequest = {
  [K in WorkerRequestKind]: { id: number; kind: K; input: WorkerInput<K> };
}[WorkerRequestKind];

export type WorkerMessage =
  | { kind: 'answered'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: EncodedError }
  | { kind: 'log'; level: 'warn' | 'error'; facts: Record<string, string>; text: string };

export interface WorkerStart {
  file: string | null;
  maxCacheBytes: number;
  /** Deletes slices of all other profiles; null keeps all slices. */
  profiles: string[] | null;
}
