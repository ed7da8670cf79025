import type { ReportCache, ReportScope, SliceAddress } from '#core/store/reports/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { ReportParser } from '../parse/report-parser.ts';
import { queryDrill, queryPage, queryWholeDays } from '../query/page.ts';
import { release, type Table } from '../table.ts';
import { encodeTable } from '../tables/blob.ts';
import { splitByDate } from '../tables/days.ts';
import { createDatasets } from './datasets.ts';
import type { WorkerInput, WorkerOutput, WorkerRequestKind } from './messages.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** One handler for each request of the worker; failures are `AppError`. */
export type RequestHandlers = { [K in WorkerRequestKind]: (input: WorkerInput<K>) => WorkerOutput<K> };

const noRows: Table = { rowCount: 0, dimensions: [], sums: [] };

/** Answers the requests of one worker from its cache and from the tables that it keeps in memory. */
export function answerRequests(cache: ReportCache): Omit<RequestHandlers, 'close'> {
  const parsers = new Map<number, ReportParser>();
  const datasets = createDatasets(cache);

  function parserOf(answer: number): ReportParser {
    const parser = parsers.get(answer);
    if (parser === undefined) throw new Error(`No answer ${answer} is being read`);
    return parser;
  }

  function keep(
    scope: ReportScope,
    slices: readonly (SliceAddress & { table: () => Table })[],
    readAtMs: number,
  ): void {
    cache.write(
      scope,
      slices.map(({ table, ...address }) => ({ ...address, body: () => encodeTable(table()) })),
      readAtMs,
    );
    datasets.changed(scope);
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
      const { table } = parserOf(answer).finish();
      parsers.delete(answer);
      const { tables, isExact } = tablesOf(table, slices);
      keep(scope, tables, readAtMs);
      if (isExact) datasets.keep(scope, slices, { table, readAtMs });
      return null;
    },
    dropAnswer({ answer }) {
      parsers.delete(answer);
      return null;
    },
    keepEmpty({ scope, slices, readAtMs }) {
      keep(
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
      return { ...part, version, ...queryWholeDays(days.dataset, question), ...together(age, days) };
    },
    drill({ scope, slices, question }) {
      const { dataset, readAtMs, partial } = datasets.ofDays(scope, slices);
      return { ...queryDrill(dataset, question), readAtMs, partial };
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
 * Returns the tables of an answer: by country or sub-id one slice is the complete answer; by day several are its days. Rows of other
 * days are left out; then `isExact` is false. Fails with `service_answer_unreadable` if a row by day has no date: it would be in no
 * total.
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

interface Age {
  readAtMs: number | null;
  partial: boolean;
}

function together(left: Age, right: Age): Age {
  const times = [left.readAtMs, right.readAtMs].filter((time) => time !== null);
  return {
    readAtMs: times.length === 0 ? null : Math.min(...times),
    partial: left.partial || right.partial,
  };
}
