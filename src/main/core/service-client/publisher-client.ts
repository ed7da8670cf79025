import { z } from 'zod';
import {
  envelopeSchema,
  searchReportRowSchema,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  xmlSubidRowSchema,
  type ExportFormat,
  type XmlGrouping,
  type xmlStatsRowSchema,
} from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CallSettings } from './call.ts';
import { parseAnswer } from './parse-answer.ts';
import { mostReportBytes, readReport, type ReportQuery } from './read-report.ts';

/** `token` gives the publisher key, which the contract wants in the query (§5.2). */
export type PublisherClientOptions = Omit<CallSettings, 'baseUrl'> & { apiUrl: string };

/** Inclusive days, YYYY-MM-DD. */
export interface ReportRange {
  from: string;
  to: string;
}

type XmlQuery = ReportRange & { tid: number; groupBy?: XmlGrouping };
type SearchQuery = ReportRange & { sid?: number };

/**
 * The publisher reports over the contract (§4.2). Refusals are `AppError`s by contract §7.2; reads are tried again by the one
 * policy (`withRetry`), and an aborted one fails with the reason of its signal. The key is in no failure and in no log.
 */
export interface PublisherClient {
  /** `message` is the report's label: foreign text. */
  xmlStats(
    query: XmlQuery,
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof xmlStatsRowSchema>[] }>;
  /** Counts and amounts stay the decimal texts as which they came. */
  searchReport(
    query: SearchQuery,
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof searchReportRowSchema>[] }>;
  /** The service's own file, as text. Fails with `no_data` where there is none. */
  exportXmlStats(query: XmlQuery, format: ExportFormat, signal?: AbortSignal): Promise<string>;
  exportSearchReport(query: SearchQuery, format: ExportFormat, signal?: AbortSignal): Promise<string>;
}

const answerOf = <Row extends z.ZodType>(row: Row) =>
  envelopeSchema.extend({ status: z.literal('success'), data: z.array(row) });

const xmlAnswers = {
  day: answerOf(xmlDayRowSchema),
  geo: answerOf(xmlGeoRowSchema),
  subid: answerOf(xmlSubidRowSchema),
};
const searchAnswer = answerOf(searchReportRowSchema);

/** Makes the client of one profile's reports. Nothing to close: it holds no connection of its own. */
export function createPublisherClient(settings: PublisherClientOptions): PublisherClient {
  async function file(query: ReportQuery, format: ExportFormat, signal?: AbortSignal): Promise<string> {
    const { text } = await readReport(settings, { ...query, format, signal });
    // Every file has a header or an envelope: no text is what is left of one that cannot be read.
    if (text !== '') return text;
    throw new AppError('service_answer_unreadable', {
      message: `The file of the service is larger than ${mostReportBytes / 2 ** 20} MB, or it is not text in UTF-8.`,
    });
  }

  return {
    async xmlStats(query, signal) {
      const answer = await readReport(settings, { ...xmlReport(query), format: null, signal });
      const { message, data } = parseAnswer(answer, xmlAnswers[query.groupBy ?? 'day']);
      return { message, rows: data };
    },
    async searchReport(query, signal) {
      const answer = await readReport(settings, { ...searchReport(query), format: null, signal });
      const { message, data } = parseAnswer(answer, searchAnswer);
      return { message, rows: data };
    },
    exportXmlStats: (query, format, signal) => file(xmlReport(query), format, signal),
    exportSearchReport: (query, format, signal) => file(searchReport(query), format, signal),
  };
}

function xmlReport({ tid, from, to, groupBy }: XmlQuery): ReportQuery {
  const grouped = groupBy === undefined ? {} : { groupBy };
  return { path: '/xml/stats', parameters: { tid: String(tid), date_from: from, date_to: to, ...grouped } };
}

function searchReport({ sid, from, to }: SearchQuery): ReportQuery {
  const feed = sid === undefined ? {} : { sid: String(sid) };
  return { path: '/publisher/search-report', parameters: { date_from: from, date_to: to, ...feed } };
}
