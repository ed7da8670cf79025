import type { ExportFormat, XmlGrouping } from '#shared/contract/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { outcomeOf, type CallSettings } from './call.ts';
import { refusalOf, type RefusalCodes } from './refusals.ts';
import { openStream, type ReportStream } from './report-stream.ts';
import { withRetry } from './retry.ts';

/** Inclusive days, YYYY-MM-DD. */
export interface ReportRange {
  from: string;
  to: string;
}

/** One of the two reports (contract §4.2). Without `sid`, every feed of the key is meant. */
export type ReportAddress =
  | (ReportRange & { kind: 'xml'; tid: number; groupBy?: XmlGrouping })
  | (ReportRange & { kind: 'search'; sid?: number });

/** `token` gives the publisher key, which the contract wants in the query (§5.2). */
export type ReportSettings = Omit<CallSettings, 'baseUrl'> & { apiUrl: string };

export interface OpenReportOptions {
  /** Null for the plain answer. */
  format: ExportFormat | null;
  signal: AbortSignal | undefined;
}

/** A report is worked out before it begins: its first bytes may take so many times as long as another answer. */
const beginTimeFactor = 4;

const mediaTypes: Record<ExportFormat, string> = { json: 'application/json', csv: 'text/csv' };

/**
 * Opens one report with the publisher key in the query (contract §4.2, §5.2), the only credential that stands in any address. Tried
 * again by the one policy until its first bytes are there, never after. Fails by contract §7.2, also for the Search report, whose
 * errors the contract does not show.
 */
export function openReport(
  { apiUrl, token, timeoutMs, logger, observe, pauses }: ReportSettings,
  address: ReportAddress,
  { format, signal }: OpenReportOptions,
): Promise<ReportStream> {
  const { path, parameters } = partsOf(address);
  const attempt = async (): Promise<ReportStream> => {
    const credential = await token();
    // Made before the key is in it: an address that is none is quoted whole by its error.
    const url = new URL(`${apiUrl}${path}`);
    const exported = format === null ? {} : { export: format };
    url.search = new URLSearchParams({ token: credential, ...parameters, ...exported }).toString();
    const opened = await openStream(
      { logger, onSeen: (seen) => observe?.(outcomeOf(seen)) },
      {
        url,
        path,
        headers: { accept: mediaTypes[format ?? 'json'] },
        credential,
        beginMs: beginTimeFactor * timeoutMs,
        idleMs: timeoutMs,
        signal,
      },
    );
    if (opened.kind === 'refused') throw refusalOf(opened.answer, reportCodes);
    return opened.stream;
  };
  return withRetry(attempt, { pauses, signal });
}

function partsOf(address: ReportAddress): { path: string; parameters: Record<string, string> } {
  const { from, to } = address;
  const days = { date_from: from, date_to: to };
  if (address.kind === 'xml') {
    const { tid, groupBy } = address;
    return { path: '/xml/stats', parameters: { tid: String(tid), ...days, ...(groupBy && { groupBy }) } };
  }
  const feed = address.sid === undefined ? {} : { sid: String(address.sid) };
  return { path: '/publisher/search-report', parameters: { ...days, ...feed } };
}

/** Reasons of a 403; a service that gives none gets the neutral code. */
const forbidden: readonly ErrorCode[] = ['source_forbidden', 'publisher_scope_missing'];

const byStatus: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'publisher_key_invalid',
  404: 'no_data',
  421: 'wrong_host',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'service_unavailable',
};

const reportCodes: RefusalCodes = (status, said) =>
  status === 403 ? (forbidden.find((code) => code === said) ?? 'forbidden') : byStatus[status];
