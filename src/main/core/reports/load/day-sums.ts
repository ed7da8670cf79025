import type { ReportQuery, ReportValue } from '#shared/app-api/index.ts';
import type { SliceGrouping } from '#core/store/report-cache.ts';
import { xmlGroupings } from '#shared/contract/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  alertHistory,
  alertHistoryRange,
  isSum,
  isXmlGrouping,
  noTraffic,
  xmlGroupingOf,
} from '#shared/reports/index.ts';
import { daySlices, planReport, scopeOf } from './plan.ts';
import type { ReportAccess, ReportReader, WantedSlices } from './report-reader.ts';
import type { DaySumsRequest, DaySumsReader, CachedDaySums } from '../notes/figures.ts';
import type { ReportWorker } from '../worker/report-worker-client.ts';

export interface DaySumsOptions {
  reader: ReportReader;
  worker: ReportWorker;
}

const noDaySums: CachedDaySums = { complete: false, isUpToDate: false, sums: {} };

export function createDaySumsReader({ reader, worker }: DaySumsOptions): DaySumsReader {
  function tryAccess(profileId: string): ReportAccess | null {
    try {
      return reader.access(profileId);
    } catch (failure) {
      if (failure instanceof AppError) return null;
      throw failure;
    }
  }

  async function computeSums(
    asked: ReportQuery,
    access: ReportAccess,
    { source, only }: DaySumsRequest,
  ): Promise<CachedDaySums | null> {
    const { scope, rows, days, query } = planReport(asked, access);
    const slices = rows.current;
    const times = await worker.ask('readTimes', { scope, slices });
    if (times.every((time) => time === null)) return null;
    const complete = slices.every(({ to }, at) => isCompleteDay(to, times[at] ?? null, access.zone));
    const unread = await reader.requests(access, { scope, slices }, 'missing');
    const question = { ...days, query, expanded: [], offset: 0, limit: 1 };
    const page = await worker.ask('page', { scope, rows, series: null, question });
    if (only !== null && !page.dimensions.includes(only.dimension)) return null;
    const sums = page.columns.flatMap(({ id, kind }, at) =>
      isSum(kind) ? [[id, page.totals[at] ?? null] as const] : [],
    );
    return {
      complete,
      isUpToDate: unread.length === 0,
      sums: page.rowCount === 0 ? noTraffic(source.kind) : Object.fromEntries(sums),
    };
  }

  return {
    async sumsOf(ask) {
      const access = tryAccess(ask.profileId);
      if (access === null) return noDaySums;
      for (const query of queriesOf(ask)) {
        const found = await computeSums(query, access, ask);
        if (found !== null) return found;
      }
      return noDaySums;
    },
    async historyOf({ profileId, source, only }, trial) {
      const access = tryAccess(profileId);
      if (access === null) return alertHistory(source.kind, trial, new Map(), '1970-01-01');
      const { today, zone } = access;
      const scope = scopeOf(source, access);
      const grouping = source.kind === 'search' ? 'feed' : only === null ? 'day' : groupingOf(only);
      const slices = daySlices(alertHistoryRange(today), grouping);
      const times = await worker.ask('readTimes', { scope, slices });
      const complete = slices.filter(({ to }, at) => isCompleteDay(to, times[at] ?? null, zone));
      return worker.ask('alertHistory', { scope, slices: complete, question: { only, trial, today } });
    },
    async read(ask, { signal, ...budget }) {
      const access = reader.access(ask.profileId);
      const { scope, rows } = planReport(queryOf(ask), access);
      const wanted: WantedSlices = { scope, slices: rows.current };
      const requests = await reader.requests(access, wanted, 'missing');
      if (requests.length === 0) return true;
      if (signal.aborted) return false;
      const reading = reader.start(access, { scope, requests, counted: budget }, () => {});
      signal.addEventListener('abort', reading.cancel, { once: true });
      await reading.ended;
      signal.removeEventListener('abort', reading.cancel);
      const failure = reading.failure();
      if (failure !== null) throw failure;
      const { doneRequests, allRequests } = reading.state();
      return doneRequests === allRequests;
    },
    onRead: (listener) =>
      reader.onRead(({ profile, report, source }) => {
        const sid = source === 0 ? null : source;
        listener({
          profileId: profile,
          source: report === 'xml' ? { kind: 'xml', tid: source } : { kind: 'search', sid },
        });
      }),
  };
}

const groupingOf = ({ dimension }: ReportValue): SliceGrouping => xmlGroupingOf({ levels: [dimension] });

/** False for a day that was not read, or was read before its end, because its sums may still change. */
function isCompleteDay(day: string, readAtMs: number | null, zone: string): boolean {
  return readAtMs !== null && serviceDay(readAtMs, zone).date > day;
}

/** Tries every grouping of XML traffic, because any may contain a dimension that only the service defines. */
function queriesOf(ask: DaySumsRequest): ReportQuery[] {
  const query = queryOf(ask);
  if (ask.source.kind === 'search' || query.levels.some(isXmlGrouping)) return [query];
  return xmlGroupings.map((grouping) => ({ ...query, grouping }));
}

function queryOf({ source, only, range }: DaySumsRequest): ReportQuery {
  const dimension = only?.dimension ?? (source.kind === 'xml' ? 'date' : 'feed');
  return {
    source,
    range,
    comparison: 'none',
    includeToday: true,
    levels: [dimension],
    only: only === null ? [] : [only],
    excluded: [],
    search: '',
    sort: { column: dimension, descending: false },
  };
}
