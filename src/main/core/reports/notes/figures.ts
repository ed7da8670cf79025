import type { ReportSource, ReportValue } from '#shared/app-api/index.ts';
import type { DayRange, DaySums } from '#shared/reports/index.ts';

/** The requests of a reading in the background: each is sent once, and never more than `max` of them. */
export interface CountedRequests {
  max: number;
  onRequest(): void;
}

/** Complete days of one report of one profile, with or without a filter for one value. */
export interface DaySumsAsk {
  profileId: string;
  source: ReportSource;
  only: ReportValue | null;
  range: DayRange;
}

export interface KnownDaySums extends DaySums {
  /** False while a day is missing or old: it would be read again. */
  upToDate: boolean;
}

/** The sums behind marks and alerts. They come from the same cache as the pages' figures. */
export interface DaySumsReader {
  /** From what was read, without a request; not complete where days are missing, or were not over when they were read. */
  sumsOf(ask: DaySumsAsk): Promise<KnownDaySums>;
  /**
   * Reads what is missing or old of these days within a number of requests, each of which is reported before it is sent, and sent
   * once. Resolves to false if they did not suffice. Fails as `ReportReader.access` and the publisher client.
   */
  read(ask: DaySumsAsk, limits: CountedRequests & { signal: AbortSignal }): Promise<boolean>;
  onRead(listener: (read: { profileId: string; source: ReportSource }) => void): () => void;
}
