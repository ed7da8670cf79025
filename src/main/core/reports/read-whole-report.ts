import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { PublisherClient } from '#core/service-client/index.ts';
import type { ReportPage, ReportQuery, ReportRow } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { planReport, requestsFor, type ReportPlan } from './load/plan.ts';
import { createLimiter, startReading } from './load/reading.ts';
import { createReportWorker, type ReportWorker } from './worker/report-worker-client.ts';

export interface WholeReportOptions {
  client: Pick<PublisherClient, 'open'>;
  query: ReportQuery;
  zone: string;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

export type WholeReport = Omit<ReportPage, 'rowCount' | 'excludedCount' | 'version' | 'state'> & {
  readAtMs: number | null;
};

const maxRequestsAtOnce = 3;
const maxCacheBytes = 2 ** 30;
const pageSize = 5_000;

/**
 * Reads a report once, without a cache. Fails as the publisher client and the parser do, with `validation_failed`,
 * `number_too_large`, and with the signal's reason.
 */
export async function readWholeReport(options: WholeReportOptions): Promise<WholeReport> {
  const { query, zone, clock, logger } = options;
  const today = serviceDay(clock.nowMs(), zone).date;
  const plan = planReport(query, { profile: 'command', keyHash: '', today });
  const worker = createReportWorker({ start: () => ({ file: null, maxCacheBytes, profiles: null }), logger });
  try {
    await readSlices(worker, plan, options);
    const {
      rowCount: _,
      excludedCount: __,
      version: ___,
      readAtMs,
      partial: ____,
      ...part
    } = await readLeafRows(worker, plan);
    const { range, compared, incompleteDay } = plan.days;
    return { range, counted: plan.countedRange, compared, incompleteDay, zone, ...part, readAtMs };
  } finally {
    await worker.dispose();
  }
}

async function readSlices(
  worker: ReportWorker,
  { scope, slices }: ReportPlan,
  { client, clock, signal }: WholeReportOptions,
): Promise<void> {
  let answers = 0;
  const reading = startReading(
    { scope, requests: requestsFor(slices) },
    {
      worker,
      client,
      limiter: createLimiter(maxRequestsAtOnce),
      nextAnswerId: () => (answers += 1),
      nowMs: () => clock.nowMs(),
      isCurrent: () => true,
      onProgress: () => {},
    },
  );
  signal.addEventListener('abort', reading.cancel, { once: true });
  await reading.ended;
  signal.removeEventListener('abort', reading.cancel);
  signal.throwIfAborted();
  const failure = reading.failure();
  if (failure !== null) throw failure;
}

async function readLeafRows(worker: ReportWorker, { scope, rows, series, days, query }: ReportPlan) {
  const expanded: (string | null)[][] = [];
  const askFor = async (offset: number, limit: number) =>
    worker.ask('page', { scope, rows, series, question: { ...days, query, expanded, offset, limit } });
  for (let level = 1; ; level += 1) {
    const part = await askFor(0, pageSize);
    const found: ReportRow[] = part.rows;
    while (found.length < part.rowCount) {
      const next = await askFor(found.length, pageSize);
      if (next.rows.length === 0) break;
      for (const row of next.rows) found.push(row);
    }
    if (level >= query.levels.length) {
      return { ...part, rows: found.filter(({ path }) => path.length === query.levels.length) };
    }
    for (const { path, expandable } of found) if (expandable && path.length === level) expanded.push(path);
  }
}
