/** A day, `YYYY-MM-DD`, on the service's calendar (UTC). */
export type ServiceDay = string;

/** What is counted in XML traffic (contract §2.5). Money in integer micros. */
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

export type XmlGrouping = 'day' | 'geo' | 'subid';

/** One row of the XML statistics: the group's value is a day, a country or a subid. */
export interface XmlRow extends XmlSums {
  group: string;
}

/** One row of the Search report (contract §2.6). */
export interface SearchRow {
  date: ServiceDay;
  feed: number;
  geo: string;
  subid: string;
  total: number;
  monetized: number;
  clicks: number;
  revenueMicros: bigint;
}

export interface DayRange {
  from: ServiceDay;
  to: ServiceDay;
}

/** The reports of publishers; every part of the service reads statistics here. Awaits the statistics of today. */
export interface PublisherReports {
  /** Fails with `source_forbidden` when the tid is not the publisher's. Rows in the order of their group. */
  xml(query: DayRange & { uid: number; tid: number; groupBy: XmlGrouping }): Promise<XmlRow[]>;
  /**
   * Rows in the order date, feed, geo, subid, at most `limit` after `offset`; `sid` null means every feed of the
   * publisher. Fails with `source_forbidden` when the feed is not the publisher's.
   */
  search(
    query: DayRange & { uid: number; sid: number | null; offset: number; limit: number },
  ): Promise<{ rows: SearchRow[]; total: number }>;
  /** The traffic sources and feeds that a publisher owns. */
  sources(uid: number): { tids: number[]; feeds: number[] };
}
