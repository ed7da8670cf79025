import type { Database } from '../../sqlite/index.ts';
import { sumColumns } from './sum-columns.ts';
import type { StatisticsWriter } from './types.ts';

const columns = sumColumns.map(({ column }) => column).join(', ');
const sums = sumColumns.map(({ column }) => `sum(${column})`).join(', ');

/** Writes through one connection. */
export function createStatisticsWriter(db: Database): StatisticsWriter {
  const addTid = db.prepare('INSERT INTO traffic_source (tid, uid) VALUES (?, ?)');
  const addFeed = db.prepare('INSERT INTO feed (feed, uid) VALUES (?, ?)');
  const marks = sumColumns.map(() => '?').join(', ');
  const addXml = db.prepare(
    `INSERT INTO xml_traffic (tid, day, geo, subid, ${columns}) VALUES (?, ?, ?, ?, ${marks})`,
  );
  const sumDay = db.prepare(`
    INSERT INTO xml_by_day (tid, day, ${columns})
      SELECT tid, day, ${sums} FROM xml_traffic WHERE tid = ? AND day = ? GROUP BY tid, day`);
  const [sumGeo, sumSubid] = ['geo', 'subid'].map((group) =>
    db.prepare(`
      INSERT INTO xml_by_${group} (tid, day, ${group}, ${columns})
        SELECT tid, day, ${group}, ${sums} FROM xml_traffic WHERE tid = ? AND day = ? GROUP BY ${group}`),
  );
  const addSearch = db.prepare('INSERT INTO search_traffic VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addCount = db.prepare('INSERT INTO search_count (feed, day, count) VALUES (?, ?, ?)');
  const dayMade = db.prepare('INSERT INTO statistics_day (day) VALUES (?)');
  return {
    addSources(uid, { tids, feeds }) {
      for (const tid of tids) addTid.run(tid, uid);
      for (const feed of feeds) addFeed.run(feed, uid);
    },
    addXmlDay(tid, day, rows) {
      for (const row of rows) {
        addXml.run(tid, day, row.geo, row.subid, ...sumColumns.map(({ member }) => row[member]));
      }
      for (const statement of [sumDay, sumGeo, sumSubid]) statement?.run(tid, day);
    },
    addSearchDay(feed, day, rows) {
      for (const { geo, subid, total, monetized, clicks, revenueMicros } of rows) {
        addSearch.run(feed, day, geo, subid, total, monetized, clicks, revenueMicros);
      }
      if (rows.length > 0) addCount.run(feed, day, rows.length);
    },
    setDayMade: (day) => void dayMade.run(day),
  };
}
