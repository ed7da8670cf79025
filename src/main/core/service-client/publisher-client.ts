import type { DayRange } from '#shared/reports/index.ts';
import { z } from 'zod';
import {
  envelopeSchema,
  type ExportFormat,
  searchReportRowSchema,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  type XmlGrouping,
  type xmlStatsRowSchema,
  xmlSubidRowSchema,
} from '#shared/contract/index.ts';
import { type Clock, systemClock } from '#core/platform/clock.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { parseAnswer, type RefusalCodes, refusalOf } from './answers.ts';
import { openStream, type ReportStream, type RestSettings } from './rest-requests.ts';
import { readText } from '#system/http/answer.ts';
import { withRetry } from './retry.ts';

/** One of the two reports (contract §4.2). Without `sid`, the report covers every feed of the key. */
export type ReportRequest =
  | (DayRange & { kind: 'xml'; tid: number; groupBy?: XmlGrouping })
  | (DayRange & { kind: 'search'; sid?: number });

/** `token` returns the publisher key, which the contract requires in the query (§5.2). */
interface PublisherClientOptions extends RestSettings {
  apiUrl: string;
  clock?: Clock;
}

interface OpenReportOptions {
  format: ExportFormat | null;
  signal: AbortSignal | undefined;
  /** Sends exactly one request, without retries. Uses a new connection, because the service may have closed an old one. */
  once: boolean;
}

const mediaTypes: Record<ExportFormat, string> = { json: 'application/json', csv: 'text/csv' };

/**
 * Opens a report with the publisher key in the query (contract §4.2, §5.2). Retries before the first bytes arrive,
 * never later. Fails by contract §7.2, also for the Search report, whose errors the contract does not define.
 */
function openReport(
  settings: PublisherClientOptions,
  address: ReportRequest,
  { format, signal, once }: OpenReportOptions,
): Promise<ReportStream> {
  const { apiUrl, token, pauses, clock = systemClock } = settings;
  const { path, parameters } = partsOf(address);
  const attempt = async ({ ownConnection }: { ownConnection: boolean }): Promise<ReportStream> => {
    const credential = await token();
    // Parsed before the key is added, because a parse error quotes the complete URL.
    const url = new URL(`${apiUrl}${path}`);
    const exported = format === null ? {} : { export: format };
    url.search = new URLSearchParams({ token: credential, ...parameters, ...exported }).toString();
    return openStream(
      { ...settings, clock, refusalOf: (answer) => refusalOf(answer, reportCodes) },
      {
        method: 'GET',
        url,
        headers: { accept: mediaTypes[format ?? 'json'] },
        credential,
        signal,
        ownConnection,
      },
    );
  };
  return once ? attempt({ ownConnection: true }) : withRetry(attempt, { pauses, signal });
}

function partsOf(address: ReportRequest): { path: string; parameters: Record<string, string> } {
  const { from, to } = address;
  const days = { date_from: from, date_to: to };
  if (address.kind === 'xml') {
    const { tid, groupBy } = address;
    return { path: '/xml/stats', parameters: { tid: String(tid), ...days, ...(groupBy && { groupBy }) } };
  }
  const feed = address.sid === undefined ? {} : { sid: String(address.sid) };
  return { path: '/publisher/search-report', parameters: { ...days, ...feed } };
}

/** Codes that a 403 may contain. Without one of them, the failure is `forbidden`. */
const forbiddenCodes: readonly ErrorCode[] = ['source_forbidden', 'publisher_scope_missing'];

const codeByStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'publisher_key_invalid',
  404: 'no_data',
  421: 'wrong_host',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'service_unavailable',
};

const reportCodes: RefusalCodes = (status, bodyCode) =>
  status === 403 ? (forbiddenCodes.find((code) => code === bodyCode) ?? 'forbidden') : codeByStatus[status];

/**
 * The publisher reports (contract §4.2). Refusals are an `AppError` by contract §7.2. Reads are retried
 * (`withRetry`) and fail with the signal's reason if aborted. No failure and no log contains the key.
 */
export interface PublisherClient {
  /** Streams a report of any length; with `format`, an export file. Fails with `no_data` for an empty report. */
  open(address: ReportRequest, options?: Partial<OpenReportOptions>): Promise<ReportStream>;
  /** Reads a small report and checks its shape. `message` is its label: untrusted text. */
  xmlStats(
    query: DayRange & { tid: number; groupBy?: XmlGrouping },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof xmlStatsRowSchema>[] }>;
  /** Like `xmlStats`. Counts and amounts are decimal texts, exactly as the service sent them. */
  searchReport(
    query: DayRange & { sid?: number },
    signal?: AbortSignal,
  ): Promise<{ message: string; rows: z.infer<typeof searchReportRowSchema>[] }>;
}

const answerSchemaOf = <Row extends z.ZodType>(row: Row) =>
  envelopeSchema.extend({ status: z.literal('success'), data: z.array(row) });

const xmlAnswerSchemas = {
  day: answerSchemaOf(xmlDayRowSchema),
  geo: answerSchemaOf(xmlGeoRowSchema),
  subid: answerSchemaOf(xmlSubidRowSchema),
};
const searchAnswerSchema = answerSchemaOf(searchReportRowSchema);

export function createPublisherClient(settings: PublisherClientOptions): PublisherClient {
  async function readFullAnswer(
    address: ReportRequest,
    signal?: AbortSignal,
  ): Promise<Parameters<typeof parseAnswer>[0]> {
    const { chunks, conceal } = await openReport(settings, address, { format: null, signal, once: false });
    return { text: await readText({ body: chunks }), conceal };
  }

  return {
    open: (address, { format = null, signal, once = false } = {}) =>
      openReport(settings, address, { format, signal, once }),
    async xmlStats(query, signal) {
      const answer = await readFullAnswer({ kind: 'xml', ...query }, signal);
      const { message, data } = parseAnswer(answer, xmlAnswerSchemas[query.groupBy ?? 'day']);
      return { message, rows: data };
    },
    async searchReport(query, signal) {
      const answer = await readFullAnswer({ kind: 'search', ...query }, signal);
      const { message, data } = parseAnswer(answer, searchAnswerSchema);
      return { message, rows: data };
    },
  };
}
