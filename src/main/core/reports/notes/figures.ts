import type { ReportSource, ReportValue } from '#shared/app-api/index.ts';
import type { DayRange, DaySums } from '#shared/reports/index.ts';

/** Each request is sent once, and at most `max` of them. */
export interface CountedRequests {
  max: number;
  onRequest(): void;
}

export interface DaySumsAsk {
  profileId: string;
  source: ReportSource;
  only: ReportValue | null;
  range: DayRange;
}

export interface KnownDaySums extends DaySums {
  /** False if a day is missing or old. */
  upToDate: boolean;
}

export interface DaySumsReader {
  /** Sends no request. Incomplete if days are missing or were read before their end. */
  sumsOf(ask: DaySumsAsk): Promise<KnownDaySums>;
  /**
   * Reads missing and old days within a number of requests. False if they did not suffice. Fails as `ReportReader.access` and the publisher
   * client.
   */
  read(ask: DaySumsAsk, limits: CountedRequests & { signal: AbortSignal }): Promise<boolean>;
  onRead(listener: (read: { profileId: string; source: ReportSource }) => void): () => void;
}
