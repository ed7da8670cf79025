import type { XmlGrouping } from '#shared/contract/index.ts';

/** A day, `YYYY-MM-DD`, on the service's calendar (UTC). */
export type ServiceDay = string;

/** The counts of XML traffic (contract §2.5). Money in integer micros. */
export interface XmlSums {
  grossRequests: number;
  grossClicks: number;
  grossValid: number;
  grossInvalid: number;
  grossRevenueMicros: bigint;
  netRequests: number;
  netClicks: number;
  netRevenueMicros: bigint;
}

/** The traffic of one source on one day from one country and one subid. */
export interface XmlTraffic extends XmlSums {
  geo: string;
  subid: string;
}

/** One row of the XML statistics: the group's value is a day, a country or a subid. */
export interface XmlRow extends XmlSums {
  group: string;
}

/** The searches of one feed on one day from one country and one subid. Money in integer micros. */
export interface SearchTraffic {
  geo: string;
  subid: string;
  total: number;
  monetized: number;
  clicks: number;
  revenueMicros: bigint;
}

/** One row of the Search report (contract §2.6). */
export interface SearchRow extends SearchTraffic {
  date: ServiceDay;
  feed: number;
}

/** One day of one feed, and how many rows it has. */
export interface SearchDay {
  feed: number;
  day: ServiceDay;
  count: number;
}

/** Reads statistics; whose they are has been settled by the caller. */
export interface StatisticsReader {
  /** Both in the order of their numbers. */
  sources(uid: number): { tids: number[]; feeds: number[] };
  /** The latest day that has been made; null before the first. */
  latestDay(): ServiceDay | null;
  /** Sums over the range, both ends inclusive, in the order of the group. */
  xml(query: { tid: number; from: ServiceDay; to: ServiceDay; groupBy: XmlGrouping }): XmlRow[];
  /** The days that there are, in the order day, feed. */
  searchDays(query: { feeds: readonly number[]; from: ServiceDay; to: ServiceDay }): SearchDay[];
  /** Rows of one day of one feed in the order geo, subid: so many after the given one, or after the first `skip`. */
  searchRows(
    query: { feed: number; day: ServiceDay; limit: number },
    start: { after: Pick<SearchTraffic, 'geo' | 'subid'> } | { skip: number },
  ): SearchRow[];
}

/** Adds statistics; call inside a transaction. */
export interface StatisticsWriter {
  addSources(uid: number, sources: { tids: readonly number[]; feeds: readonly number[] }): void;
  /** Adds a whole day of one source and its sums; each day of a source is added once. */
  addXmlDay(tid: number, day: ServiceDay, rows: readonly XmlTraffic[]): void;
  /** The same of one feed. */
  addSearchDay(feed: number, day: ServiceDay, rows: readonly SearchTraffic[]): void;
  /** Says that everything of this day has been added. */
  setDayMade(day: ServiceDay): void;
}
