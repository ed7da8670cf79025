import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  openReportCache,
  type ReportCache,
  type ReportScope,
  type SliceAddress,
} from '#core/store/report-cache.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type {
  AnswerAge,
  WorkerInput,
  WorkerMessage,
  WorkerRequest,
  WorkerRequestKind,
  WorkerStart,
  WorkerOutput,
} from './messages.ts';
import { ReportParser } from '../parse/report-parser.ts';
import { queryDrill, queryPage, queryDailySeries } from '../query/page.ts';
import { release, type Table, splitByDate } from '../tables/table.ts';
import { encodeTable } from '../tables/blob.ts';
import { createDatasets } from './datasets.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { alertHistory, type DaySums } from '#shared/reports/index.ts';

type RequestHandlers = { [K in WorkerRequestKind]: (input: WorkerInput<K>) => WorkerOutput<K> };

const noRows: Table = { rowCount: 0, dimensions: [], sums: [] };

function createHandlers(cache: ReportCache): Omit<RequestHandlers, 'close'> {
  const parsers = new Map<number, ReportParser>();
  const datasets = createDatasets(cache);

  function parserOf(answer: number): ReportParser {
    const parser = parsers.get(answer);
    if (parser === undefined) throw new Error(`No answer ${answer} is being read`);
    return parser;
  }

  function cacheSlices(
    scope: ReportScope,
    slices: readonly (SliceAddress & { table: () => Table })[],
    readAtMs: number,
  ): void {
    cache.write(
      scope,
      slices.map(({ table, ...address }) => ({ ...address, body: () => encodeTable(table()) })),
      readAtMs,
    );
    datasets.invalidate(scope);
  }

  return {
    readTimes: ({ scope, slices }) => cache.readTimes(scope, slices),
    beginAnswer({ answer, shape }) {
      parsers.set(answer, new ReportParser(shape));
      return null;
    },
    readBytes({ answer, bytes }) {
      parserOf(answer).push(bytes);
      release(bytes);
      return null;
    },
    endAnswer({ answer, scope, slices, readAtMs }) {
      const table = parserOf(answer).finish();
      parsers.delete(answer);
      const { tables, isExact } = tablesOf(table, slices);
      cacheSlices(scope, tables, readAtMs);
      if (isExact) datasets.keep(scope, slices, { table, readAtMs });
      return null;
    },
    dropAnswer({ answer }) {
      parsers.delete(answer);
      return null;
    },
    keepEmpty({ scope, slices, readAtMs }) {
      cacheSlices(
        scope,
        slices.map((address) => ({ ...address, table: () => noRows })),
        readAtMs,
      );
      return null;
    },
    page({ scope, rows, series, question }) {
      const { dataset, version, ...age } = datasets.of(scope, rows);
      const part = queryPage(dataset, question);
      if (series === null) return { ...part, version, ...age };
      const days = datasets.of(scope, series);
      return { ...part, version, ...queryDailySeries(days.dataset, question), ...combineAges(age, days) };
    },
    drill({ scope, slices, question }) {
      const { dataset, readAtMs, partial } = datasets.ofDays(scope, slices);
      return { ...queryDrill(dataset, question), readAtMs, partial };
    },
    alertHistory({ scope, slices, question: { only, trial, today } }) {
      const kind = scope.report;
      const { dataset, partial } = datasets.ofDays(scope, slices);
      // A slice that cannot be decoded would count as a day without traffic.
      if (partial) return alertHistory(kind, trial, new Map(), today);
      const query = {
        only: [],
        excluded: [],
        includeToday: true,
        sort: { column: 'date', descending: false },
      };
      const { columns, rows } = queryDrill(dataset, { query, of: only, by: 'date' });
      const days = new Map<string, DaySums['sums'] | null>(slices.map(({ from }) => [from, null]));
      for (const { value: date, values } of rows) {
        if (date === null || !days.has(date)) continue;
        const sums = columns.map(({ id }, at) => [id, values[at] ?? null] as const);
        days.set(date, Object.fromEntries(sums));
      }
      return alertHistory(kind, trial, days, today);
    },
    useSource({ scope }) {
      cache.useSource(scope);
      return null;
    },
    sources: (owner) => cache.sources(owner),
    forget({ profile, keyHash }) {
      cache.forget(profile, keyHash ?? undefined);
      datasets.forget(profile);
      return null;
    },
  };
}

/**
 * By country or sub-id, one slice is the complete answer. By day, each day is a slice, and `isExact` is false if the answer
 * contains other days. Fails with `service_answer_unreadable` for a row without a date.
 */
function tablesOf(
  table: Table,
  slices: readonly SliceAddress[],
): { tables: (SliceAddress & { table: () => Table })[]; isExact: boolean } {
  const [first] = slices;
  if (first === undefined) return { tables: [], isExact: false };
  if (first.grouping === 'geo' || first.grouping === 'subid') {
    return { tables: [{ ...first, table: () => table }], isExact: true };
  }
  const { days, undatedRow } = splitByDate(
    table,
    slices.map(({ from }) => from),
  );
  if (undatedRow !== null) {
    throw new AppError('service_answer_unreadable', {
      message: sentence`Row ${undatedRow + 1}, field “date”: it is missing.`,
      data: { row: undatedRow + 1, field: 'date' },
    });
  }
  return {
    tables: slices.map((address) => ({ ...address, table: days.get(address.from) ?? (() => noRows) })),
    isExact: days.size === slices.length,
  };
}

function combineAges(left: AnswerAge, right: AnswerAge): AnswerAge {
  const times = [left.readAtMs, right.readAtMs].filter((time) => time !== null);
  return {
    readAtMs: times.length === 0 ? null : Math.min(...times),
    partial: left.partial || right.partial,
  };
}

function run(port: NonNullable<typeof parentPort>, start: WorkerStart): void {
  const post = (message: WorkerMessage): void => port.postMessage(message);
  const logger = loggerTo(post);
  const cache = openReportCache({
    file: start.file,
    maxBytes: start.maxCacheBytes,
    clock: systemClock,
    logger,
  });
  if (start.profiles !== null) cache.keepOnly(start.profiles);
  const handlers: RequestHandlers = {
    ...createHandlers(cache),
    close() {
      cache.dispose();
      port.close();
      return null;
    },
  };
  port.on('message', (request: WorkerRequest) => {
    try {
      post({ kind: 'answered', id: request.id, output: handleRequest(handlers, request) });
    } catch (failure) {
      if (!(failure instanceof AppError)) logger.error({ failure }, 'A request of the report worker failed');
      post({ kind: 'failed', id: request.id, error: encodeError(failure) });
    }
  });
}

function handleRequest<K extends WorkerRequestKind>(
  handlers: RequestHandlers,
  { kind, input }: { kind: K; input: WorkerInput<K> },
): unknown {
  return handlers[kind](input);
}

/** Sends lines to the core's log, so that secrets are redacted. */
function loggerTo(post: (message: WorkerMessage) => void): Logger {
  const logAt = (level: 'warn' | 'error') => (facts: Record<string, unknown>, text: string) =>
    post({ kind: 'log', level, facts: Object.fromEntries(Object.entries(facts).map(factText)), text });
  const logger: Logger = {
    info: () => {},
    warn: logAt('warn'),
    error: logAt('error'),
    child: () => logger,
  };
  return logger;
}

function factText([name, fact]: [string, unknown]): [string, string] {
  return [name, fact instanceof Error ? (fact.stack ?? fact.message) : String(fact)];
}

if (parentPort === null) throw new Error('This file is started by the core as a worker');
run(parentPort, workerData as WorkerStart);
