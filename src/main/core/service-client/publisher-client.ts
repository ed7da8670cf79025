import type { z } from 'zod';
import type {
  searchReportRowSchema,
  xmlStatsRowSchema,
  ExportFormat,
  XmlGrouping,
} from '#shared/contract/index.ts';
import type { CallSettings } from './call.ts';

/** `token` gives the publisher key, which the contract wants in the query (§5.2). */
export type PublisherClientOptions = Omit<CallSettings, 'baseUrl'> & { apiUrl: string };

/** Inclusive days, YYYY-MM-DD. */
export interface ReportRange {
  from: string;
  to: string;
}

/** The publisher reports over the contract (§4.2). Refusals are `AppError`s by contract §7.2; reads are retried by the one policy. */
export interface PublisherClient {
  xmlStats(
    query: ReportRange & { tid: number; groupBy?: XmlGrouping },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof xmlStatsRowSchema>[] }>;
  searchReport(
    query: ReportRange & { sid?: number },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof searchReportRowSchema>[] }>;
  /** The service's own file, as text. Fails with `no_data` where there is none. */
  exportXmlStats(
    query: ReportRange & { tid: number; groupBy?: XmlGrouping },
    format: ExportFormat,
    signal?: AbortSignal,
  ): Promise<string>;
  exportSearchReport(
    query: ReportRange & { sid?: number },
    format: ExportFormat,
    signal?: AbortSignal,
  ): Promise<string>;
}

export function createPublisherClient(_options: PublisherClientOptions): PublisherClient {
  const notYet = (): Promise<never> => Promise.reject(new Error('not yet'));
  return { xmlStats: notYet, searchReport: notYet, exportXmlStats: notYet, exportSearchReport: notYet };
}
