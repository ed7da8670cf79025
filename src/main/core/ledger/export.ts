import type { LedgerReader, LedgerRow } from '#core/store/app/index.ts';
import {
  type AppOutput,
  type ExportHeaderLine,
  exportHeaderSchema,
  type LedgerFilter,
} from '#shared/app-api/index.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { type Anchor, readAnchorForm } from './anchor.ts';
import { readBody, readIntroduction } from './verify/chain.ts';

export interface ExportHeader extends Pick<ExportHeaderLine, 'selection' | 'rows' | 'keys'> {
  anchor: Anchor | null;
}

export function readHeader(line: string): ExportHeader | null {
  const header = exportHeaderSchema.safeParse(objectOf(line)).data;
  return header === undefined ? null : { ...header, anchor: readAnchorForm(header.anchor) };
}

function exportLine(row: LedgerRow): string {
  return JSON.stringify({ ...row, body: sealedBody(row.body) });
}

/** Exports a body that is not canonical as text, because it was tampered with. */
function sealedBody(text: string): JsonObject | string {
  const body = readBody(text);
  return body !== null && canonicalOf(body) === text ? body : text;
}

const members: readonly (keyof LedgerRow)[] = [
  'seq',
  'atMs',
  'kind',
  'proposalId',
  'actor',
  'via',
  'summary',
  'body',
  'previousHash',
  'hash',
  'keyId',
  'signature',
];

/** Checks only the names of the members and `seq`; the verifier checks the types. */
export function rowOfLine(line: string): LedgerRow | null {
  const value = objectOf(line);
  if (value === null || Object.keys(value).length !== members.length) return null;
  if (!members.every((member) => Object.hasOwn(value, member))) return null;
  if (!Number.isSafeInteger(value['seq'])) return null;
  const body = value['body'];
  const row: unknown = { ...value, body: isJsonObject(body) ? canonicalOf(body) : body };
  return row as LedgerRow;
}

/** Returns null if two programs could read the line differently. */
function objectOf(line: string): JsonObject | null {
  let value: JsonValue;
  try {
    value = parseStrictJson(line);
  } catch {
    return null;
  }
  return isJsonObject(value) ? value : null;
}

function canonicalOf(body: JsonObject): string | null {
  try {
    return canonicalJson(body);
  } catch {
    return null;
  }
}

const partLength = 1_000_000;

const rowsAtOnce = 100;

/** `untilSeq` is null in the request for the first part. */
export interface LedgerExportQuery {
  afterSeq: number;
  untilSeq: number | null;
  filter: LedgerFilter;
}

export interface ExportSource {
  reader: LedgerReader;
  anchorOf(last: LedgerRow): Anchor | null;
}

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
  return JSON.stringify({
    format: 'countersign ledger',
    version: 1,
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
