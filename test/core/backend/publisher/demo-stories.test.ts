import { beforeAll, describe, expect, test } from 'vitest';
import { demoSources, type DemoSource, searchDay, xmlDay } from '#core/backend/demo-data/statistics-day.ts';
import { createRandom } from '#shared/lib/random.ts';
import type { SearchTraffic, XmlTraffic } from '#core/store/backend/index.ts';

/** Possible start days of a demo: 400 in a row. Each has a past of 30 days, which ends before the start day. */
const firstStart = 20_454;
const startDays = Array.from({ length: 400 }, (_day, at) => firstStart + at);
const pastDays = 30;

type Days<Row> = Map<number, readonly Row[]>;

const [publisher] = demoSources('northwind');
const [newsTid, appsTid] = publisher?.tids ?? [];
const [mainFeed, toolsFeed, appsFeed, youngFeed] = publisher?.feeds ?? [];

function made<Row>(
  source: DemoSource | undefined,
  rowsOf: (source: DemoSource, day: number) => readonly Row[],
): Days<Row> {
  if (source === undefined) throw new Error('The demo lost a source');
  const first = firstStart - pastDays;
  return new Map(
    Array.from({ length: startDays.length + pastDays }, (_day, at) => [
      first + at,
      rowsOf(source, first + at),
    ]),
  );
}

const xmlOf = (source: DemoSource | undefined) =>
  made(source, (known, day) => xmlDay(createRandom(`xml ${known.id} ${day}`), known, day));
const searchOf = (source: DemoSource | undefined) =>
  made(source, (known, day) => searchDay(createRandom(`search ${known.id} ${day}`), known, day));

/** Sums the report of the last 30 full days by a value of each row. */
function past<Row, Key>(
  days: Days<Row>,
  start: number,
  keyOf: (row: Row, day: number) => Key,
): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (let day = start - pastDays; day < start; day += 1) {
    for (const row of days.get(day) ?? []) {
      const key = keyOf(row, day);
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
  }
  return groups;
}

const sum = <Row>(rows: readonly Row[] | undefined, of: (row: Row) => number | bigint) =>
  (rows ?? []).reduce((total, row) => total + Number(of(row)), 0);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

let news: Days<XmlTraffic>;
let apps: Days<XmlTraffic>;
let feeds: Record<'main' | 'tools' | 'apps' | 'young', Days<SearchTraffic>>;
beforeAll(() => {
  [news, apps] = [xmlOf(newsTid), xmlOf(appsTid)];
  feeds = {
    main: searchOf(mainFeed),
    tools: searchOf(toolsFeed),
    apps: searchOf(appsFeed),
    young: searchOf(youngFeed),
  };
});

describe('the last 30 days of the demo, on any start date, show', () => {
  test('sub-ids with bot traffic: mostly invalid clicks, hardly any net revenue, while the others are normal', () => {
    for (const start of startDays) {
      const found = [...past(news, start, ({ subid }) => subid)].map(([subid, rows]) => ({
        subid,
        valid: sum(rows, (row) => row.grossValid) / sum(rows, (row) => row.grossClicks),
        net: sum(rows, (row) => row.netRevenueMicros) / sum(rows, (row) => row.grossRevenueMicros),
      }));
      const worst = found.toSorted((a, b) => a.valid - b.valid)[0];
      expect(worst?.valid, `start ${start}`).toBeLessThan(0.4);
      expect(worst?.net).toBeLessThan(0.4);
      expect(worst?.subid).not.toBe('');
      const sound = found.filter(({ valid }) => valid > 0.93);
      expect(sound.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('a feed with one sub-id whose clicks earn a fraction of the others', () => {
    for (const start of startDays) {
      const epc = [...past(feeds.apps, start, ({ subid }) => subid).values()].map(
        (rows) => sum(rows, (row) => row.revenueMicros) / sum(rows, (row) => row.clicks),
      );
      expect(Math.min(...epc), `start ${start}`).toBeLessThan(0.6 * Math.max(...epc));
    }
  });

  test('a country that fell to a tenth one to three weeks ago and has not recovered', () => {
    for (const start of startDays) {
      for (const days of [apps, feeds.main]) {
        const countries = past<XmlTraffic | SearchTraffic, string>(days, start, ({ geo }) => geo);
        const isDown = [...countries.keys()].filter((geo) => {
          const daily = Array.from({ length: pastDays }, (_day, at) =>
            sum(
              days.get(start - pastDays + at)?.filter((row) => row.geo === geo),
              requestsOf,
            ),
          );
          return mean(daily.slice(-3)) < 0.25 * mean(daily.slice(0, 8));
        });
        expect(isDown.length, `start ${start}`).toBeGreaterThanOrEqual(1);
      }
    }
  });

  test('a new feed with at least three full days after at least two weeks without rows', () => {
    for (const start of startDays) {
      const hasStarted = [feeds.tools, feeds.young].some((days) => {
        const isThere = Array.from(
          { length: pastDays },
          (_day, at) => (days.get(start - pastDays + at) ?? []).length > 0,
        );
        const running = isThere.toReversed().indexOf(false);
        return running >= 3 && isThere.slice(-running - 14, -running).every((is) => !is) && running <= 26;
      });
      expect(hasStarted, `start ${start}`).toBe(true);
    }
  });

  test('a half-day outage with half the requests of the same weekdays around it', () => {
    for (const start of startDays) {
      const daily = Array.from({ length: pastDays }, (_day, at) =>
        sum(news.get(start - pastDays + at), requestsOf),
      );
      const halves = daily.filter((requests, at) => {
        const beside = [daily[at - 7], daily[at + 7]].filter((value) => value !== undefined);
        return beside.some((value) => requests < 0.62 * value && requests > 0.38 * value);
      });
      expect(halves.length, `start ${start}`).toBeGreaterThanOrEqual(1);
    }
  });

  test('quiet weekends in the number of requests', () => {
    for (const start of startDays) {
      const byPart = past(news, start, (_row, day) =>
        [0, 6].includes(new Date(day * 86_400_000).getUTCDay()),
      );
      const perRow = (isWeekend: boolean) => {
        const rows = byPart.get(isWeekend);
        return sum(rows, requestsOf) / (rows?.length ?? 0);
      };
      expect(perRow(true), `start ${start}`).toBeLessThan(0.85 * perRow(false));
    }
  });
});

function requestsOf(row: XmlTraffic | SearchTraffic): number {
  return 'grossRequests' in row ? row.grossRequests : row.total;
}
