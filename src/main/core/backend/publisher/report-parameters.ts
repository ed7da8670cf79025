import { exportFormats, xmlGroupings } from '#shared/contract/index.ts';
import type { ExportFormat, XmlGrouping } from '#shared/contract/index.ts';
import { QueryReader } from '../http/query-reader.ts';
import type { RawQuery } from '../http/query-reader.ts';
import type { DayRange } from './reports.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The parameters of `/xml/stats`. */
export interface XmlParameters extends DayRange {
  tid: number;
  groupBy: XmlGrouping;
  format: ExportFormat | null;
}

/** The parameters of `/publisher/search-report`. */
export interface SearchParameters extends DayRange {
  sid: number | null;
  format: ExportFormat | null;
}

/**
 * Reads the parameters of `/xml/stats` (contract §4.2). Fails with `validation_failed` naming every parameter that is
 * missing, wrong or given twice; unknown ones are ignored. A tid is any positive whole number here: whether it names
 * something is settled later.
 */
export function readXmlParameters(query: RawQuery): XmlParameters {
  const reader = new QueryReader(query);
  const tid = requiredSource(reader, 'tid');
  const range = readRange(reader);
  const groupBy = reader.word('groupBy', { words: xmlGroupings, otherwise: 'day' });
  const format = readFormat(reader);
  reader.finish();
  return { tid, ...range, groupBy, format };
}

/** The same for `/publisher/search-report`; without `sid` every feed is meant. */
export function readSearchParameters(query: RawQuery): SearchParameters {
  const reader = new QueryReader(query);
  const range = readRange(reader);
  const sid = reader.digits('sid');
  const format = readFormat(reader);
  reader.finish();
  return { ...range, sid, format };
}

function requiredSource(reader: QueryReader, name: string): number {
  reader.require(name);
  return reader.digits(name) ?? 0;
}

function readRange(reader: QueryReader): DayRange {
  const from = reader.day('date_from');
  const to = reader.day('date_to');
  if (from !== '' && to !== '' && from > to) {
    reader.fail('date_to', 'out_of_range', sentence`date_to must not be before date_from.`);
  }
  return { from, to };
}

function readFormat(reader: QueryReader): ExportFormat | null {
  return reader.word<ExportFormat | ''>('export', { words: exportFormats, otherwise: '' }) || null;
}
