import type { SearchRow, ServiceDay, XmlRow } from '#core/store/backend/index.ts';
import type { XmlGrouping } from '#shared/contract/index.ts';

export type { SearchRow, ServiceDay, XmlRow } from '#core/store/backend/index.ts';
export type { XmlGrouping } from '#shared/contract/index.ts';

export interface DayRange {
  /** Both inclusive (contract §4.2). */
  from: ServiceDay;
  to: ServiceDay;
}

/** Which traffic of a publisher is asked for. */
export interface XmlQuery extends DayRange {
  uid: number;
  tid: number;
  groupBy: XmlGrouping;
  /** Where not everything of the publisher may be read: the TIDs that may. */
  only?: readonly number[] | null;
}

/** Which searches of a publisher are asked for. */
export interface SearchQuery extends DayRange {
  uid: number;
  /** One feed, or null for every feed that may be read. */
  sid: number | null;
  /** Where not everything of the publisher may be read: the feeds that may. */
  only?: readonly number[] | null;
}

/** The reports of publishers; every part of the service reads statistics here. Awaits the statistics of today. */
export interface PublisherReports {
  /** Fails with `source_forbidden` when the tid is not the publisher's. Rows in the order of their group. */
  xml(query: XmlQuery): Promise<XmlRow[]>;
  /**
   * Rows in the order date, feed, geo, subid, at most `limit` after `offset`. Fails with `source_forbidden` when the
   * feed is not the publisher's.
   */
  search(
    query: SearchQuery & { offset: number; limit: number },
  ): Promise<{ rows: SearchRow[]; total: number }>;
  /** The same rows, all of them, in batches of which one is in memory at a time. */
  searchAll(query: SearchQuery): Promise<{ total: number; batches: AsyncIterable<SearchRow[]> }>;
  /** The traffic sources and feeds that a publisher owns. */
  sources(uid: number): { tids: number[]; feeds: number[] };
}
