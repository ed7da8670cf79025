import type { XmlGrouping } from '#shared/contract/index.ts';
import type { Database } from '../../sqlite/index.ts';
import { sumColumns } from './sum-columns.ts';
import type { SearchDay, SearchRow, StatisticsReader, XmlRow } from './types.ts';

/** Everything comes as bigint, so that no sum loses a micro on its way through a double. */
type Bigints<Row> = { [Name in keyof Row]: Row[Name] extends number ? bigint : Row[Name] };

const groupTables: Readonly<Record<XmlGrouping, { table: string; column: string }>> = {
  day: { table: 'xml_by_day', column: 'day' },
  geo: { table: 'xml_by_geo', column: 'geo' },
  subid: { table: 'xml_by_subid', column: 'subid' },
};

/** Lists, because an export reads a million of them: geo, subid, total, monetized, clicks, revenue in micros. */
type SearchCells = [string, string, bigint, bigint, bigint, bigint];

const searchRow = `
  SELECT geo, subid, total, monetized, clicks, revenue_micros FROM search_traffic WHERE feed = ? AND day = ?`;

/** Reads through one connection. */
export function createStatisticsReader(db: Database): StatisticsReader {
  const tids = db
    .prepare<[number], number>('SELECT tid FROM traffic_source WHERE uid = ? ORDER BY tid')
    .pluck();
  const feeds = db.prepare<[number], number>('SELECT feed FROM feed WHERE uid = ? ORDER BY feed').pluck();
  const latest = db.prepare<[], string | null>('SELECT max(day) FROM statistics_day').pluck();
  const xml = {
    day: xmlStatement(db, 'day'),
    geo: xmlStatement(db, 'geo'),
    subid: xmlStatement(db, 'subid'),
  };
  const days = db.prepare<[string, string, string], SearchDay>(
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
    sources: (uid) => ({ tids: tids.all(uid), feeds: feeds.all(uid) }),
    latestDay: () => latest.get() ?? null,
    xml: ({ tid, from, to, groupBy }) => xml[groupBy].all(tid, from, to).map(xmlRowOf),
    searchDays: ({ feeds: wanted, from, to }) => days.all(JSON.stringify(wanted), from, to),
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
  const { table, column } = groupTables[groupBy];
  const sums = sumColumns.map(({ column: name, member }) => `sum(${name}) AS ${member}`).join(', ');
  return db
    .prepare<[number, string, string], Bigints<XmlRow>>(
      `SELECT ${column} AS "group", ${sums} FROM ${table} WHERE tid = ? AND day BETWEEN ? AND ?
        GROUP BY ${column} ORDER BY ${column}`,
    )
    .safeIntegers();
}

function xmlRowOf(row: Bigints<XmlRow>): XmlRow {
  return {
    ...row,
    grossRequests: Number(row.grossRequests),
    grossClicks: Number(row.grossClicks),
    grossValid: Number(row.grossValid),
    grossInvalid: Number(row.grossInvalid),
    netRequests: Number(row.netRequests),
    netClicks: Number(row.netClicks),
  };
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
