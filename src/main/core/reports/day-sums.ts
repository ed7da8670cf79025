import type { ReportSource, ReportValue } from '#shared/app-api/index.ts';
import type { DayRange, DaySums } from '#shared/reports/index.ts';

/** Whole days of one report of one profile, narrowed to one value or not. */
export interface DaySumsAsk {
  profileId: string;
  source: ReportSource;
  only: ReportValue | null;
  range: DayRange;
}

/** The sums behind marks and alerts. They come from the same cache as the pages' figures. */
export interface DaySumsReader {
  /** From what was read, without a request; not complete where days are missing. */
  sumsOf(ask: DaySumsAsk): Promise<DaySums>;
  /** Reads what is missing or not final of these days. Resolves to the number of requests. Fails as the publisher client. */
  read(ask: DaySumsAsk, signal: AbortSignal): Promise<number>;
  /** Hears when a reading of a report has ended. Returns the unsubscribe function. */
  onRead(listener: (read: { profileId: string; source: ReportSource }) => void): () => void;
}
