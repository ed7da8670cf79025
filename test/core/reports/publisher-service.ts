import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { silentLogger as logger } from '#core/platform/logger.ts';
import {
  createReportReader,
  createReportService,
  createReportWorker,
  type ReportReader,
  type ReportService,
  type ReportWorker,
} from '#core/reports/index.ts';
import { createPublisherClient } from '#core/service-client/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { AppInput, AppOutput, ReportQuery } from '#shared/app-api/index.ts';
import { datesIn } from '#shared/reports/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { eventually } from '#test/setup/eventually.ts';

/** The service's day on which these tests begin. */
export const today = '2026-11-22';

/** One request as the publisher service parsed it. */
export interface AskedOfService {
  path: string;
  key: string;
  from: string;
  to: string;
  groupBy: string;
  source: string | null;
}

/** Answers one request; returns false to leave it to the default rows. */
export type Script = (asked: AskedOfService, response: ServerResponse) => boolean | Promise<boolean>;

export interface PublisherService {
  apiUrl: string;
  asked: AskedOfService[];
  /** Answers the next requests; null sends the default rows. */
  script: Script | null;
  /** Stops the service, so that requests are refused at the port. */
  stop(): Promise<void>;
}

/** The sums of one country and day. Every grouping is computed from them. */
export function rowOf(date: string, geo: string) {
  const day = Number(date.slice(8));
  const size = geo === 'BR' ? 3 : 7;
  return {
    gross_requests: day * 100 * size,
    gross_clicks: day * 10 * size,
    gross_valid: day * 6 * size,
    gross_invalid: day * 4 * size,
    gross_revenue: (day * size * 125) / 1000,
    net_requests: day * 90 * size,
    net_clicks: day * 5 * size,
    net_revenue: (day * size * 25) / 1000,
  };
}

export const countries = ['BR', 'DE'] as const;

type Sums = ReturnType<typeof rowOf>;

export function sumOf(rows: readonly Sums[]): Sums {
  const names = Object.keys(rowOf(today, 'BR')) as (keyof Sums)[];
  return Object.fromEntries(
    names.map((name) => [name, rows.reduce((sum, row) => sum + Math.round(row[name] * 1000), 0) / 1000]),
  ) as Sums;
}

function usualRows({ path, from, to, groupBy }: AskedOfService): object[] {
  const dates = datesIn({ from, to });
  if (path === '/publisher/search-report') {
    return dates.flatMap((date) =>
      countries.map((geo) => {
        const { gross_requests: total, gross_clicks: clicks } = rowOf(date, geo);
        const texts = {
          total: `${total}`,
          monetized: `${clicks}`,
          clicks: `${clicks}`,
          revenue: `${clicks}.25`,
        };
        return {
          date,
          feed: geo === 'BR' ? 411 : 412,
          geo,
          subid: `s-${geo}`,
          ...texts,
          epc: '0.1',
          rpm: '1',
        };
      }),
    );
  }
  if (groupBy === 'day') {
    return dates.map((date) => ({ date, ...sumOf(countries.map((geo) => rowOf(date, geo))) }));
  }
  return countries.map((geo) => ({ [groupBy]: geo, ...sumOf(dates.map((date) => rowOf(date, geo))) }));
}

/** Starts a publisher service with known figures over real HTTP. It ends with the test. */
export async function startPublisherService(): Promise<PublisherService> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const value = (name: string): string => searchParams.get(name) ?? '';
    const asked = {
      path: pathname,
      key: value('token'),
      from: value('date_from'),
      to: value('date_to'),
      groupBy: value('groupBy'),
      source: searchParams.get('tid') ?? searchParams.get('sid'),
    };
    service.asked.push(asked);
    if (service.script !== null && (await service.script(asked, response))) return;
    response.end(JSON.stringify({ status: 'success', message: 'Report', data: usualRows(asked) }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let isStopped = false;
  const service: PublisherService = {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    script: null,
    async stop() {
      if (isStopped) return;
      isStopped = true;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => service.stop());
  return service;
}

/** Answers with a status and a body. */
export function refuse(response: ServerResponse, status: number, body: object = {}): true {
  response.writeHead(status).end(JSON.stringify({ status: 'error', message: 'No', ...body }));
  return true;
}

/** Returns a query for XML traffic by day over the last seven full days, with these changes. */
export function query(change: Partial<ReportQuery> = {}): ReportQuery {
  return {
    source: { kind: 'xml', tid: 7301 },
    range: { preset: 'last7' },
    comparison: 'none',
    includeToday: false,
    levels: ['date'],
    only: [],
    excluded: [],
    search: '',
    sort: { column: 'date', descending: false },
    ...change,
  };
}

export interface ReportWorld {
  service: PublisherService;
  reports: ReportService;
  reader: ReportReader;
  worker: ReportWorker;
  clock: ManualClock;
  /** The active profile and its key; null is no key. */
  active: { id: string; key: string | null };
  changes(): number;
  page(
    change?: Partial<ReportQuery>,
    input?: Partial<AppInput<'reports.page'>>,
  ): Promise<AppOutput<'reports.page'>>;
  /** Reads a page, and reads it again until no load is running. */
  readPage(
    change?: Partial<ReportQuery>,
    input?: Partial<AppInput<'reports.page'>>,
  ): Promise<AppOutput<'reports.page'>>;
  dispose(): Promise<void>;
}

/** Starts a worker with its cache in a file or in memory. The caller disposes it. */
export function startWorker(file: string | null = null): ReportWorker {
  return createReportWorker({ start: () => ({ file, maxCacheBytes: 1e8, profiles: null }), logger });
}

/** The reports of live profiles at one publisher service, with real HTTP, a real worker and a real cache. */
export async function createReportWorld({
  worker: shared,
  file = null,
  service,
  clock = createManualClock(Date.parse(`${today}T12:00:00Z`)),
  kind = 'live',
  whyNoRoom = () => null,
}: {
  /** A worker that several tests share. Each test needs profiles of its own. */
  worker?: ReportWorker;
  file?: string | null;
  service?: PublisherService;
  clock?: ManualClock;
  kind?: 'live' | 'demo';
  whyNoRoom?: () => AppError | null;
} = {}): Promise<ReportWorld> {
  const running = service ?? (await startPublisherService());
  const active: ReportWorld['active'] = {
    id: shared === undefined ? 'p1' : randomUUID(),
    key: 'pk_of-profile-one',
  };
  const connectionOf = (id: string) => ({
    profile: { id, kind, account: '1', zone: 'UTC' },
    publisher: createPublisherClient({
      apiUrl: running.apiUrl,
      token: async () => active.key ?? '',
      timeoutMs: 30_000,
      logger,
    }),
  });
  const made = new Map<string, ReturnType<typeof connectionOf>>();
  const of = (id: string) => {
    const found = made.get(id) ?? connectionOf(id);
    made.set(id, found);
    return found;
  };
  const connections = {
    of,
    current: () => of(active.id),
    publisherKeyOf: () => active.key,
  };
  const worker = shared ?? startWorker(file);
  const reader = createReportReader({ worker, connections, clock, demoStorageError: whyNoRoom });
  let changes = 0;
  let ids = 0;
  const reports = createReportService({
    worker,
    reader,
    connections,
    demoSources: () => ({ tids: [], sids: [] }),
    clock,
    ids: { id: () => `id-${(ids += 1)}` },
    onChange: () => (changes += 1),
  });
  const dispose = async (): Promise<void> => {
    await reports.dispose();
    if (shared === undefined) await worker.dispose();
  };
  onTestFinished(dispose);
  const page: ReportWorld['page'] = (change, input) =>
    reports.page({ query: query(change), expanded: [], offset: 0, limit: 100, read: 'none', ...input });
  return {
    service: running,
    reports,
    reader,
    worker,
    clock,
    active,
    changes: () => changes,
    page,
    async readPage(change, input) {
      await page(change, { read: 'missing', ...input });
      return eventually(async () => {
        const shown = await page(change, { ...input, read: 'none' });
        expect(shown.state.state).not.toBe('reading');
        return shown;
      });
    },
    dispose,
  };
}
