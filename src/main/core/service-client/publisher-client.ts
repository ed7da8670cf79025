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
import { openReport, type ReportAddress, type ReportRange, type ReportSettings } from './open-report.ts';
import { parseAnswer } from './parse-answer.ts';
import { readText } from './read-text.ts';
import type { ReportStream } from './report-stream.ts';

export type PublisherClientOptions = ReportSettings;

/**
 * The publisher reports over the contract (§4.2). Refusals are `AppError`s by contract §7.2; reads are tried again by the one
 * policy (`withRetry`), and an aborted one fails with the reason of its signal. The key is in no failure and in no log.
 */
export interface PublisherClient {
  /** The answer's bytes as they come, of any length; with `format` the service's own file, or `no_data` where there is none. */
  open(
    address: ReportAddress,
    options?: { format?: ExportFormat | null; signal?: AbortSignal },
  ): Promise<ReportStream>;
  /** A small report, checked against the contract. `message` is its label: foreign text. */
  xmlStats(
    query: ReportRange & { tid: number; groupBy?: XmlGrouping },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof xmlStatsRowSchema>[] }>;
  /** The same. Counts and amounts stay the decimal texts as which they came. */
  searchReport(
    query: ReportRange & { sid?: number },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof searchReportRowSchema>[] }>;
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
  async function wholeAnswer(
    address: ReportAddress,
    signal?: AbortSignal,
  ): Promise<Parameters<typeof parseAnswer>[0]> {
    const { chunks, conceal } = await openReport(settings, address, { format: null, signal });
    return { text: await readText({ body: chunks }), conceal };
  }

  return {
    open: (address, { format = null, signal } = {}) => openReport(settings, address, { format, signal }),
    async xmlStats(query, signal) {
      const answer = await wholeAnswer({ kind: 'xml', ...query }, signal);
      const { message, data } = parseAnswer(answer, xmlAnswers[query.groupBy ?? 'day']);
      return { message, rows: data };
    },
    async searchReport(query, signal) {
      const answer = await wholeAnswer({ kind: 'search', ...query }, signal);
      const { message, data } = parseAnswer(answer, searchAnswer);
      return { message, rows: data };
    },
  };
}
