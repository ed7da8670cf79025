import type { ReportSource, ReportValue } from '#shared/app-api/index.ts';
import type { AlertHistory, AlertTrial, DayRange, DaySums } from '#shared/reports/index.ts';

/** Requests that count against a budget. Each request is sent once, at most `max` requests in total. */
export interface RequestBudget {
  max: number;
  onRequest(): void;
}

export interface DaySumsRequest {
  profileId: string;
  source: ReportSource;
  only: ReportValue | null;
  range: DayRange;
}

export interface CachedDaySums extends DaySums {
  /** False if a day is missing or outdated. */
  isUpToDate: boolean;
}

export interface DaySumsReader {
  /** Computes sums from the cache; sends no request. The result is incomplete if days are missing or were read before their end. */
  sumsOf(ask: DaySumsRequest): Promise<CachedDaySums>;
  /** Tries an alert out on the cached days; sends no request. Without access, no day is known. */
  historyOf(ask: Omit<DaySumsRequest, 'range'>, trial: AlertTrial): Promise<AlertHistory>;
  /**
   * Reads missing and outdated days within a number of requests. Resolves to false if the requests did not suffice. Fails as
   * `ReportReader.access` and the publisher client do.
   */
  read(ask: DaySumsRequest, limits: RequestBudget & { signal: AbortSignal }): Promise<boolean>;
  onRead(listener: (read: { profileId: string; source: ReportSource }) => void): () => void;
}
