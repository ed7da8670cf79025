import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { BackendStore, SearchTraffic, XmlTraffic } from '#core/store/backend/index.ts';

const msPerDay = 86_400_000;

/** The year that the bench asks for. */
export const year = { from: '2025-01-01', to: '2025-12-31', days: 365 } as const;

/** The only source of the XML statistics. */
export const tid = 900_001;

const feeds = [900_101, 900_102, 900_103, 900_104];

/** Days with searches. Together with feeds, countries and sub-IDs they make a million rows. */
export const searchDays = 250;

/** Writes `xmlRows` XML rows and a million searches straight into the database of a service that is not running. */
export async function fillStatistics(
  file: string,
  { uid, xmlRows }: { uid: number; xmlRows: number },
): Promise<void> {
  const store = openBackendStore({ file, clock: systemClock, logger: silentLogger });
  const { write } = store.statistics;
  store.transaction(() => write.addSources(uid, { tids: [tid], feeds }));
  const geos = names('G', xmlRows > 1_000_000 ? 100 : 50);
  const subids = names('sub-', Math.ceil(xmlRows / year.days / geos.length));
  fillDays(store, year.days, (day) => write.addXmlDay(tid, day, spots(geos, subids).map(xmlRow)));
  fillDays(store, searchDays, (day) => {
    for (const feed of feeds)
      write.addSearchDay(feed, day, spots(names('G', 20), names('sub ', 50)).map(searchRow));
  });
  await store.dispose();
}

function fillDays(store: BackendStore, days: number, add: (day: string) => void): void {
  const firstMs = Date.parse(year.from);
  store.transaction(() => {
    for (let at = 0; at < days; at += 1) add(new Date(firstMs + at * msPerDay).toISOString().slice(0, 10));
  });
}

interface Spot {
  geo: string;
  subid: string;
  at: number;
}

function spots(geos: readonly string[], subids: readonly string[]): Spot[] {
  return geos.flatMap((geo, row) => subids.map((subid, column) => ({ geo, subid, at: row * 97 + column })));
}

function names(before: string, count: number): string[] {
  return Array.from({ length: count }, (_name, at) => `${before}${String(at).padStart(3, '0')}`);
}

function xmlRow({ geo, subid, at }: Spot): XmlTraffic {
  return {
    geo,
    subid,
    grossRequests: 40_000 + at,
    grossClicks: 900 + at,
    grossValid: 850 + at,
    grossInvalid: 50,
    grossRevenueMicros: BigInt(31_415_926 + at),
    netRequests: 39_000 + at,
    netClicks: 800 + at,
    netRevenueMicros: BigInt(27_182_818 + at),
  };
}

function searchRow({ geo, subid, at }: Spot): SearchTraffic {
  return {
    geo,
    subid,
    total: 9_000 + at,
    monetized: 5_000,
    clicks: 300 + at,
    revenueMicros: BigInt(16_180_339 + at),
  };
}
