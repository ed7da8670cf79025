import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import type { AppOutput, LedgerFilter } from '#shared/app-api/index.ts';
import type { Anchor } from '../anchor/anchor.ts';
import { readBody, readIntroduction } from '../verify/introduction.ts';
import { headerLine, type ExportHeader } from './export-header.ts';
import { exportLine } from './export-line.ts';

/** Characters after which a part ends: large enough to be few, small enough to keep nobody waiting. */
const partLength = 1_000_000;

const rowsAtOnce = 100;

/** Which part of an export: after this row, up to the last one that the first part named. */
export interface LedgerExportQuery {
  afterSeq: number;
  untilSeq: number | null;
  filter: LedgerFilter;
}

export interface ExportSource {
  reader: LedgerReader;
  /** Vouches for the ledger up to this row; null where nobody can. */
  anchorOf(last: LedgerRow): Anchor | null;
}

/** The next part of an export, with its header in front of the first. */
export function exportPart(source: ExportSource, query: LedgerExportQuery): AppOutput<'ledger.export'> {
  const { reader } = source;
  const { afterSeq, filter } = query;
  const untilSeq = query.untilSeq ?? reader.last()?.seq ?? 0;
  const total = reader.countUntil(untilSeq, filter);
  const header = afterSeq === 0 ? [headerOf(source, { filter, untilSeq, total })] : [];
  const { lines, rows, next } = rowsAfter(reader, { afterSeq, untilSeq, filter });
  return { text: [...header, ...lines].map((line) => `${line}\n`).join(''), rows, total, untilSeq, next };
}

function rowsAfter(
  reader: LedgerReader,
  query: { afterSeq: number; untilSeq: number; filter: LedgerFilter },
) {
  const lines: string[] = [];
  let { afterSeq } = query;
  let length = 0;
  while (length < partLength) {
    const rows = reader.part({ ...query, afterSeq, limit: rowsAtOnce });
    const fresh = rows.map(exportLine);
    lines.push(...fresh);
    length += fresh.reduce((sum, line) => sum + line.length, 0);
    afterSeq = rows.at(-1)?.seq ?? afterSeq;
    if (rows.length < rowsAtOnce) return { lines, rows: lines.length, next: null };
  }
  return { lines, rows: lines.length, next: afterSeq };
}

function headerOf(
  { reader, anchorOf }: ExportSource,
  { filter, untilSeq, total }: { filter: LedgerFilter; untilSeq: number; total: number },
): string {
  const last = reader.at(untilSeq);
  const isWhole = Object.values(filter).every((value) => value === null);
  return headerLine({
    selection: isWhole ? null : filter,
    rows: total,
    anchor: last && anchorOf(last),
    keys: reader.introductions().flatMap(keyOf),
  });
}

function keyOf(row: LedgerRow): ExportHeader['keys'] {
  const body = readBody(row.body);
  const introduction = body && readIntroduction(row, body);
  if (!introduction) return [];
  const { publicKey, endorsed } = introduction;
  return [{ keyId: publicKey.keyId, publicKey: publicKey.text, fromSeq: row.seq, endorsed }];
}
