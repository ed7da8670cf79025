import { contractFields, fieldLabel } from '../../campaign/index.ts';
import { type CsvCell, csvLine } from '../../lib/csv.ts';
import { type JsonObject, own } from '../../lib/json/json-value.ts';
import type { BulkPlan, FieldChange } from '../bulk/bulk-plan.ts';
import { cellOf } from './cells.ts';
import { type DecimalMark, flagOfList, readCell } from './read-cell.ts';

/** The column with the version of each campaign when it was exported. */
const versionField = 'countersign_version';

/** Fields that identify a campaign: they are in the file and are never changed by it. */
const fixedFields = ['cid', 'uid'];

/** The first line: a label that people know, and the name of the field in parentheses, by which it is found again. */
export function fileHead(fields: readonly string[]): string {
  return csvLine(
    ['cid', ...fields, versionField].map((field) => ({
      kind: 'text',
      text: field === versionField ? `Version (${versionField})` : `${fieldLabel(field)} (${field})`,
    })),
  );
}

/** The line of a campaign. A structure that has no cell is left empty. */
export function fileLine(campaign: JsonObject, fields: readonly string[], version: string): string {
  const empty: CsvCell = { kind: 'text', text: '' };
  const cells = ['cid', ...fields].map((field) => cellOf(own(campaign, field)) ?? empty);
  return csvLine([...cells, { kind: 'text', text: version }]);
}

/** A row of a file that names a campaign. */
export interface FileRow {
  /** Its first line in the file, from 1. */
  line: number;
  cid: number;
  /** Null where the file has no such column. */
  version: string | null;
  cells: ReadonlyMap<string, string>;
}

/** A fault of a file, at a line. */
export interface FileFault {
  line: number;
  message: string;
}

/** A file, row by row. */
export interface FileTable {
  fields: string[];
  /** Columns that no field has. */
  unknownColumns: string[];
  hasVersions: boolean;
  rows: FileRow[];
  faults: FileFault[];
}

/** Reads the cells of a file. Null if it has no column of campaign ids. `isField` knows fields beside those of the contract. */
export function readTable(
  records: readonly { line: number; cells: readonly string[] }[],
  isField: (name: string) => boolean,
): FileTable | null {
  const [head, ...others] = records;
  const columns = (head?.cells ?? []).map((title) => fieldOfTitle(title));
  const cidAt = columns.indexOf('cid');
  if (cidAt === -1) return null;
  const isKnown = (field: string): boolean => contractFields.includes(field) || isField(field);
  const versionAt = columns.indexOf(versionField);
  const places = columns.flatMap((field, at) =>
    at !== versionAt && !fixedFields.includes(field) && isKnown(field) ? [{ field, at }] : [],
  );
  const unknownColumns = (head?.cells ?? []).filter((title, at) => {
    const field = columns[at] ?? '';
    return title.trim() !== '' && field !== versionField && !fixedFields.includes(field) && !isKnown(field);
  });
  const faults: FileFault[] = [];
  const rows = new Map<number, FileRow>();
  for (const { line, cells } of others) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const text = cells[cidAt]?.trim() ?? '';
    const cid = /^\d{1,15}$/u.test(text) ? Number(text) : 0;
    const earlier = rows.get(cid);
    if (cid === 0)
      faults.push({ line, message: `There is no campaign id: ${text === '' ? 'empty' : text}.` });
    else if (earlier !== undefined)
      faults.push({ line, message: `Campaign ${cid} is in line ${earlier.line} already.` });
    else if (cells.length > columns.length)
      faults.push({ line, message: `It has ${cells.length} cells; the first line has ${columns.length}.` });
    else {
      const named = places.map(({ field, at }) => [field, cells[at]] as const);
      const version = versionAt === -1 ? null : (cells[versionAt]?.trim() ?? '');
      const filled = named.filter((pair): pair is [string, string] => pair[1] !== undefined);
      rows.set(cid, { line, cid, version, cells: new Map(filled) });
    }
  }
  return {
    fields: places.map(({ field }) => field),
    unknownColumns,
    hasVersions: versionAt !== -1,
    rows: [...rows.values()],
    faults,
  };
}

/** `Bid (payout)` is the field payout, and so is `payout`. */
function fieldOfTitle(title: string): string {
  const text = title.trim();
  return /\(([^()]+)\)$/u.exec(text)?.[1] ?? text;
}

/** Changes of a row to a campaign as it was read. A campaign that is no longer what was exported is a conflict. */
export function planFileRow(
  row: FileRow,
  { campaign, version, mark }: { campaign: JsonObject; version: string; mark: DecimalMark },
): BulkPlan {
  const changes: FieldChange[] = [];
  const wrongs: string[] = [];
  for (const [field, cell] of row.cells) {
    const stored = own(campaign, field);
    if (stored === undefined) {
      if (cell.trim() !== '') wrongs.push(`The campaign has no field ${fieldLabel(field)}.`);
      continue;
    }
    const read = readCell(field, cell, stored, mark);
    if (read.kind === 'wrong') wrongs.push(read.message);
    else if (read.kind === 'value') changes.push({ field, operations: [{ kind: 'set', value: read.value }] });
  }
  const at = `Line ${row.line}: `;
  if (wrongs.length > 0) return { kind: 'problem', message: `${at}${wrongs.join(' ')}` };
  if (changes.length > 0 && row.version !== null && row.version !== version)
    return {
      kind: 'problem',
      message: `${at}Conflict: the campaign changed since the export. Export it again, or look at it in the editor.`,
    };
  return { kind: 'changes', changes: withFlags(changes, row, campaign) };
}

/** A list that gets entries is targeted, unless the file says something about its flag. One that is emptied is refused, never opened to all. */
function withFlags(changes: FieldChange[], row: FileRow, campaign: JsonObject): FieldChange[] {
  const flags = changes.flatMap(({ field, operations: [operation] }): FieldChange[] => {
    const flag = flagOfList(field);
    if (flag === undefined || row.cells.has(flag) || operation?.kind !== 'set') return [];
    const hasEntries = Array.isArray(operation.value) && operation.value.length > 0;
    if (!hasEntries || own(campaign, flag) === 0) return [];
    return [{ field: flag, operations: [{ kind: 'set', value: 0 }] }];
  });
  return [...changes, ...flags];
}
