import { setImmediate } from 'node:timers/promises';
import type {
  SearchRow,
  ServiceDay,
  XmlRow,
  SearchDay,
  StatisticsReader,
} from '#core/store/backend/index.ts';
import type { XmlGrouping } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendService } from '../service.ts';

export interface DayRange {
  /** Both inclusive (contract §4.2). */
  from: ServiceDay;
  to: ServiceDay;
}

interface XmlQuery extends DayRange {
  uid: number;
  tid: number;
  groupBy: XmlGrouping;
  only?: readonly number[] | null;
}

interface SearchQuery extends DayRange {
  uid: number;
  sid: number | null;
  only?: readonly number[] | null;
}

export interface PublisherReports {
  /** Rows in the order of the group. Fails with `source_forbidden`. */
  xml(query: XmlQuery): Promise<XmlRow[]>;
  /** Rows in the order date, feed, geo, subid. Fails with `source_forbidden`. */
  search(
    query: SearchQuery & { offset: number; limit: number },
  ): Promise<{ rows: SearchRow[]; total: number }>;
  /** Returns all rows in batches; only one batch is in memory at a time. */
  searchAll(query: SearchQuery): Promise<{ total: number; batches: AsyncIterable<SearchRow[]> }>;
  sources(uid: number): { tids: number[]; feeds: number[] };
}

const batchRows = 500;

interface Statistics {
  ready(): Promise<void>;
}

/** `alsoOf` names further accounts whose traffic an account may read. */
export function createReports(
  { store }: Pick<BackendService, 'store'>,
  statistics: Statistics,
  alsoOf: (uid: number) => readonly number[] = () => [],
): PublisherReports {
  const { read } = store.statistics;
  const sources = (uid: number): { tids: number[]; feeds: number[] } => {
    const all = [uid, ...alsoOf(uid)].map((owner) => read.sources(owner));
    return { tids: all.flatMap(({ tids }) => tids), feeds: all.flatMap(({ feeds }) => feeds) };
  };
  const loadDays = async (query: SearchQuery): Promise<SearchDay[]> => {
    const feeds = feedsOf(sources(query.uid).feeds, query);
    await statistics.ready();
    return read.searchDays({ feeds, from: query.from, to: query.to });
  };
  return {
    async xml({ uid, tid, only, ...query }) {
      if (!filterAllowed(sources(uid).tids, only).includes(tid)) throw new AppError('source_forbidden');
      await statistics.ready();
      return read.xml({ tid, ...query });
    },
    async search({ offset, limit, ...query }) {
      const found = await loadDays(query);
      return { rows: pageOf(read, found, { offset, limit }), total: countOf(found) };
    },
    async searchAll(query) {
      const found = await loadDays(query);
      return { total: countOf(found), batches: batchesOf(read, found) };
    },
    sources,
  };
}

function filterAllowed(
  owned: readonly number[],
  only: readonly number[] | null | undefined,
): readonly number[] {
  return only === null || only === undefined ? owned : owned.filter((source) => only.includes(source));
}

function feedsOf(owned: readonly number[], { sid, only }: SearchQuery): readonly number[] {
  const feeds = filterAllowed(owned, only);
  if (sid === null) return feeds;
  if (!feeds.includes(sid)) throw new AppError('source_forbidden');
  return [sid];
}

function countOf(days: readonly SearchDay[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

function pageOf(
  read: StatisticsReader,
  days: readonly SearchDay[],
  { offset, limit }: { offset: number; limit: number },
): SearchRow[] {
  const rows: SearchRow[] = [];
  let skip = offset;
  for (const { feed, day, count } of days) {
    if (rows.length >= limit) break;
    const piece = skip < count ? read.searchRows({ feed, day, limit: limit - rows.length }, { skip }) : [];
    for (const row of piece) rows.push(row);
    skip = Math.max(0, skip - count);
  }
  return rows;
}

async function* batchesOf(read: StatisticsReader, days: readonly SearchDay[]): AsyncGenerator<SearchRow[]> {
  let batch: SearchRow[] = [];
  for (const { feed, day } of days) {
    let piece = read.searchRows({ feed, day, limit: batchRows }, { skip: 0 });
    for (let last = piece.at(-1); last !== undefined; last = piece.at(-1)) {
      batch = batch.length === 0 ? piece : [...batch, ...piece];
      if (batch.length >= batchRows) {
        yield batch;
        batch = [];
        // Lets other requests run. A consumer that never waits would block them.
        await setImmediate();
      }
      if (piece.length < batchRows) break;
      piece = read.searchRows({ feed, day, limit: batchRows }, { after: last });
    }
  }
  if (batch.length > 0) yield batch;
}
