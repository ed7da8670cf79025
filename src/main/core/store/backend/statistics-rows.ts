import type { XmlGrouping } from '#shared/contract/index.ts';
import { columnOf, type Database, readAll, readValue, readValues, writes } from '../sqlite/database.ts';

/** `YYYY-MM-DD` in UTC. */
export type ServiceDay = string;

interface XmlSums {
  grossRequests: number;
  grossClicks: number;
  grossValid: number;
  grossInvalid: number;
  grossRevenueMicros: bigint;
  netRequests: number;
  netClicks: number;
  netRevenueMicros: bigint;
}

export interface XmlTraffic extends XmlSums {
  geo: string;
  subid: string;
}

/** `group` is a day, a country or a sub-ID. */
export interface XmlRow extends XmlSums {
  group: string;
}

/** Money is in micros. */
export interface SearchTraffic {
  geo: string;
  subid: string;
  total: number;
  monetized: number;
  clicks: number;
  revenueMicros: bigint;
}

/** A row of the Search report (contract §2.6). */
export interface SearchRow extends SearchTraffic {
  date: ServiceDay;
  feed: number;
}

export interface SearchDay {
  feed: number;
  day: ServiceDay;
  count: number;
}

/** Does not check whose statistics are read; the caller does. */
export interface StatisticsReader {
  sources(uid: number): { tids: number[]; feeds: number[] };
  latestDay(): ServiceDay | null;
  /** Both days inclusive; rows in the order of the group. */
  xml(query: { tid: number; from: ServiceDay; to: ServiceDay; groupBy: XmlGrouping }): XmlRow[];
  searchDays(query: { feeds: readonly number[]; from: ServiceDay; to: ServiceDay }): SearchDay[];
  /** Rows in the order geo, subid, starting after the given row or after `skip` rows. */
  searchRows(
    query: { feed: number; day: ServiceDay; limit: number },
    start: { after: Pick<SearchTraffic, 'geo' | 'subid'> } | { skip: number },
  ): SearchRow[];
}

/** Call it inside a transaction. */
export interface StatisticsWriter {
  addSources(uid: number, sources: { tids: readonly number[]; feeds: readonly number[] }): void;
  /** Call it only once for each day of a source. */
  addXmlDay(tid: number, day: ServiceDay, rows: readonly XmlTraffic[]): void;
  addSearchDay(feed: number, day: ServiceDay, rows: readonly SearchTraffic[]): void;
  setDayMade(day: ServiceDay): void;
}

const counts = [
  'grossRequests',
  'grossClicks',
  'grossValid',
  'grossInvalid',
  'netRequests',
  'netClicks',
] as const;
const sumMembers = [...counts, 'grossRevenueMicros', 'netRevenueMicros'] as const;
const sumColumns = sumMembers.map(columnOf);

/** Bigints, because sums of micros can exceed the integers that a double represents exactly. */
type Bigints<Row> = { [Name in keyof Row]: Row[Name] extends number ? bigint : Row[Name] };

/** Arrays instead of objects, because an export reads a million rows. */
type SearchCells = [string, string, bigint, bigint, bigint, bigint];

const searchRow = `
  SELECT geo, subid, total, monetized, clicks, revenue_micros FROM search_traffic WHERE feed = ? AND day = ?`;

export function createStatisticsReader(db: Database): StatisticsReader {
  const tids = readValues<number>(db, 'SELECT tid FROM traffic_source WHERE uid = ? ORDER BY tid');
  const feeds = readValues<number>(db, 'SELECT feed FROM feed WHERE uid = ? ORDER BY feed');
  const xml = {
    day: xmlStatement(db, 'day'),
    geo: xmlStatement(db, 'geo'),
    subid: xmlStatement(db, 'subid'),
  };
  const days = readAll<SearchDay>(
    db,
    `SELECT feed, day, count FROM search_count
     WHERE feed IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day, feed`,
  );
  const rowsAfter = db
    .prepare<[number, string, string, string, number], SearchCells>(
      `${searchRow} AND (geo, subid) > (?, ?) ORDER BY geo, subid LIMIT ?`,
    )
    .safeIntegers()
    .raw();
  const rowsFrom = db
    .prepare<[number, string, number, number], SearchCells>(
      `${searchRow} ORDER BY geo, subid LIMIT ? OFFSET ?`,
    )
    .safeIntegers()
    .raw();
  return {
    sources: (uid) => ({ tids: tids(uid), feeds: feeds(uid) }),
    latestDay: readValue<string>(db, 'SELECT max(day) FROM statistics_day'),
    xml: ({ tid, from, to, groupBy }) => xml[groupBy].all(tid, from, to).map(xmlRowOf),
    searchDays: ({ feeds: wanted, from, to }) => days(JSON.stringify(wanted), from, to),
    searchRows({ feed, day, limit }, start) {
      const found =
        'after' in start
          ? rowsAfter.all(feed, day, start.after.geo, start.after.subid, limit)
          : rowsFrom.all(feed, day, limit, start.skip);
      return found.map((cells) => searchRowOf({ feed, date: day }, cells));
    },
  };
}

function xmlStatement(db: Database, groupBy: XmlGrouping) {
  const sums = sumMembers.map((member, at) => `sum(${sumColumns[at]}) AS ${member}`).join(', ');
  return db
    .prepare<[number, string, string], Bigints<XmlRow>>(
      `SELECT ${groupBy} AS "group", ${sums} FROM xml_by_${groupBy} WHERE tid = ? AND day BETWEEN ? AND ?
        GROUP BY ${groupBy} ORDER BY ${groupBy}`,
    )
    .safeIntegers();
}

function xmlRowOf(row: Bigints<XmlRow>): XmlRow {
  const numbers = Object.fromEntries(counts.map((member) => [member, Number(row[member])]));
  return { ...row, ...(numbers as Pick<XmlRow, (typeof counts)[number]>) };
}

function searchRowOf(
  { date, feed }: Pick<SearchRow, 'date' | 'feed'>,
  [geo, subid, total, monetized, clicks, revenueMicros]: SearchCells,
): SearchRow {
  return {
    date,
    feed,
    geo,
    subid,
    total: Number(total),
    monetized: Number(monetized),
    clicks: Number(clicks),
    revenueMicros,
  };
}

const columns = sumColumns.join(', ');
const sums = sumColumns.map((column) => `sum(${column})`).join(', ');

export function createStatisticsWriter(db: Database): StatisticsWriter {
  const addTid = writes(db, 'INSERT INTO traffic_source (tid, uid) VALUES (?, ?)');
  const addFeed = writes(db, 'INSERT INTO feed (feed, uid) VALUES (?, ?)');
  const marks = sumColumns.map(() => '?').join(', ');
  const addXml = writes(
    db,
    `INSERT INTO xml_traffic (tid, day, geo, subid, ${columns}) VALUES (?, ?, ?, ?, ${marks})`,
  );
  const sumDay = writes(
    db,
    `INSERT INTO xml_by_day (tid, day, ${columns})
       SELECT tid, day, ${sums} FROM xml_traffic WHERE tid = ? AND day = ? GROUP BY tid, day`,
  );
  const sumGroups = ['geo', 'subid'].map((group) =>
    writes(
      db,
      `INSERT INTO xml_by_${group} (tid, day, ${group}, ${columns})
         SELECT tid, day, ${group}, ${sums} FROM xml_traffic WHERE tid = ? AND day = ? GROUP BY ${group}`,
    ),
  );
  const addSearch = writes(db, 'INSERT INTO search_traffic VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addCount = writes(db, 'INSERT INTO search_count (feed, day, count) VALUES (?, ?, ?)');
  return {
    addSources(uid, { tids, feeds }) {
      for (const tid of tids) addTid(tid, uid);
      for (const feed of feeds) addFeed(feed, uid);
    },
    addXmlDay(tid, day, rows) {
      for (const row of rows) {
        addXml(tid, day, row.geo, row.subid, ...sumMembers.map((member) => row[member]));
      }
      for (const sum of [sumDay, ...sumGroups]) sum(tid, day);
    },
    addSearchDay(feed, day, rows) {
      for (const { geo, subid, total, monetized, clicks, revenueMicros } of rows) {
        addSearch(feed, day, geo, subid, total, monetized, clicks, revenueMicros);
      }
      if (rows.length > 0) addCount(feed, day, rows.length);
    },
    setDayMade: writes(db, 'INSERT INTO statistics_day (day) VALUES (?)'),
  };
}
