import type { ExportFormat } from '#shared/contract/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { outcomeOf, type CallSettings } from './call.ts';
import { exchange, type Answer } from './exchange.ts';
import { isSuccess, refusalOf, type RefusalCodes } from './refusals.ts';
import { withRetry } from './retry.ts';

/** The largest report that is read, in bytes: a year of a busy publisher. */
export const mostReportBytes = 64 * 1024 * 1024;

/** A file is made while it is sent: it may take so many times as long as another answer. */
const fileTimeFactor = 4;

const mediaTypes: Record<ExportFormat, string> = { json: 'application/json', csv: 'text/csv' };

/** One of the two reports, without the key. */
export interface ReportQuery {
  path: '/xml/stats' | '/publisher/search-report';
  parameters: Record<string, string>;
}

export interface ReportRequest extends ReportQuery {
  /** Null for the plain answer. */
  format: ExportFormat | null;
  signal: AbortSignal | undefined;
}

/**
 * Reads one report with the publisher key in the query (contract §4.2, §5.2), the only credential that stands in any
 * address. Fails by contract §7.2, also for the Search report, whose errors the contract does not show.
 */
export function readReport(
  settings: Omit<CallSettings, 'baseUrl'> & { apiUrl: string },
  { path, parameters, format, signal }: ReportRequest,
): Promise<Answer> {
  const { apiUrl, token, timeoutMs, logger, observe, pauses } = settings;
  const exported = format === null ? {} : { export: format };
  const onSeen: Parameters<typeof exchange>[0]['onSeen'] = (seen) => observe?.(outcomeOf(seen));

  const attempt = async (): Promise<Answer> => {
    const credential = await token();
    // Made before the key is in it: an address that is none is quoted whole by its error.
    const url = new URL(`${apiUrl}${path}`);
    url.search = new URLSearchParams({ token: credential, ...parameters, ...exported }).toString();
    const answer = await exchange(
      { logger, onSeen },
      {
        method: 'GET',
        url,
        path,
        headers: { accept: mediaTypes[format ?? 'json'] },
        credential,
        timeoutMs: format === null ? timeoutMs : fileTimeFactor * timeoutMs,
        mostBytes: mostReportBytes,
        signal,
      },
    );
    if (!isSuccess(answer)) throw refusalOf(answer, reportCodes);
    return answer;
  };
  return withRetry(attempt, { pauses, signal });
}

/** What a 403 is about; a service that does not say so gets the neutral word. */
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
