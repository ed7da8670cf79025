import { contractFields, fieldLabel } from '../../campaign/index.ts';
import { type CsvCell, csvLine } from '../../lib/csv.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { joinSentences, ownWords, type Sentence, sentence } from '../../lib/sentence.ts';
import {
  type BulkPlan,
  type FieldChange,
  flagOfList,
  noEffectReason,
  type PlanParts,
} from '../bulk/bulk-plan.ts';
import { cellOf, fieldsOfKind } from './cells.ts';
import type { FileNotation } from './notation.ts';
import { type CellDoubt, maxCellCharacters, readCell } from './read-cell.ts';

const versionField = 'countersign_version';

const fixedFields = fieldsOfKind('fixed');

/**
 * The header line. Each title is a label with the field's name in parentheses, which identifies the column when the
 * file is read.
 */
export function fileHeader(fields: readonly string[]): string {
  return csvLine(['cid', ...fields, versionField].map((field) => ({ kind: 'text', text: titleOf(field) })));
}

function titleOf(field: string): string {
  return `${field === versionField ? 'Version' : fieldLabel(field)} (${field})`;
}

export function fileLine(campaign: JsonObject, fields: readonly string[], version: string): string {
  const empty: CsvCell = { kind: 'text', text: '' };
  const cells = ['cid', ...fields].map((field) => cellOf(field, own(campaign, field)) ?? empty);
  return csvLine([...cells, { kind: 'text', text: version }]);
}

/** Fields whose cells exceed the cell length limit of spreadsheets, which would truncate them. */
export function tooLongFields(campaign: JsonObject, fields: readonly string[]): string[] {
  return fields.filter(
    (field) => (cellOf(field, own(campaign, field))?.text.length ?? 0) > maxCellCharacters,
  );
}

export interface FileRow {
  line: number;
  cid: number;
  version: string | null;
  cells: ReadonlyMap<string, string>;
}

export const faultKinds = ['new', 'unknown', 'unreadable'] as const;

export interface FileFault {
  line: number;
  kind: (typeof faultKinds)[number];
  message: Sentence;
}

export interface FileTable {
  fields: string[];
  unknownColumns: string[];
  repeatedColumns: string[];
  hasVersions: boolean;
  rows: FileRow[];
  faults: FileFault[];
}

/** Lines without an ID are expected: a person may add one for a new campaign. The contract cannot create campaigns (§4.1). */
const newCampaign = sentence`It has no campaign id. New campaigns cannot be made here.`;

/**
 * Reads the cells of a file. Null without a column of campaign IDs. `isField` recognises fields that the contract does not
 * define.
 */
export function readTable(
  records: readonly { line: number; cells: readonly string[] }[],
  isField: (name: string) => boolean,
): FileTable | null {
  const [head, ...dataRecords] = records;
  const isKnown = (field: string): boolean => contractFields.includes(field) || isField(field);
  const columns = (head?.cells ?? []).map((title) => fieldOfTitle(title, isKnown));
  const cidIndex = columns.indexOf('cid');
  if (cidIndex === -1) return null;
  const versionIndex = columns.indexOf(versionField);
  const fieldColumns = columns.flatMap((field, at) =>
    at !== versionIndex && !fixedFields.includes(field) && isKnown(field) ? [{ field, at }] : [],
  );
  const unknownColumns = (head?.cells ?? []).filter((title, at) => {
    const field = columns[at] ?? '';
    return title.trim() !== '' && field !== versionField && !fixedFields.includes(field) && !isKnown(field);
  });
  const isRead = (field: string): boolean => field === versionField || isKnown(field);
  const repeated = columns.filter((field, at) => isRead(field) && columns.indexOf(field) !== at);
  const faults: FileFault[] = [];
  const rows = new Map<number, FileRow>();
  for (const { line, cells } of dataRecords) {
    const text = cells[cidIndex]?.trim() ?? '';
    const cid = /^\d{1,15}(?:[.,]0{1,2})?$/u.test(text) ? Number.parseInt(text, 10) : 0;
    const earlierRow = rows.get(cid);
    const reportUnreadable = (message: Sentence): unknown =>
      faults.push({ line, kind: 'unreadable', message });
    if (text === '') faults.push({ line, kind: 'new', message: newCampaign });
    else if (cid === 0) reportUnreadable(sentence`There is no campaign id: ${text}.`);
    else if (earlierRow !== undefined)
      reportUnreadable(sentence`Campaign ${cid} is in line ${earlierRow.line} already.`);
    else if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
      reportUnreadable(sentence`It has ${cells.length} cells; the first line has ${columns.length}.`);
    else {
      const fieldCells = fieldColumns.map(({ field, at }) => [field, cells[at]] as const);
      const version = versionIndex === -1 ? null : (cells[versionIndex]?.trim() ?? '');
      const filled = fieldCells.filter((pair): pair is [string, string] => pair[1] !== undefined);
      rows.set(cid, { line, cid, version, cells: new Map(filled) });
    }
  }
  return {
    fields: fieldColumns.map(({ field }) => field),
    unknownColumns,
    repeatedColumns: [...new Set(repeated)].map(titleOf),
    hasVersions: versionIndex !== -1,
    rows: [...rows.values()],
    faults,
  };
}

/** `Bid (payout)`, `payout` and `PAYOUT` all mean the field payout. */
function fieldOfTitle(title: string, isKnown: (field: string) => boolean): string {
  const text = title.trim();
  const field = /\(([^()]+)\)$/u.exec(text)?.[1] ?? text;
  const lower = field.toLowerCase();
  return !isKnown(field) && (isKnown(lower) || lower === versionField) ? lower : field;
}

/** The choice for cells that may be damaged: keep the exported value or take the cell's value. Null if undecided. */
export type CellChoices = Record<CellDoubt, 'keep' | 'take' | null>;

const choiceMessages: Readonly<Record<CellDoubt, string>> = {
  rounded: 'Choose whether rounded numbers are taken.',
  lost: 'No encoding can bring them back. Choose whether such texts are taken.',
};

export interface FileSubject extends Pick<PlanParts, 'memberKindOf'> {
  campaign: JsonObject;
  present: JsonObject;
  version: string;
  notation: FileNotation;
  choices: CellChoices;
  exported(version: string): JsonObject | null;
}

/**
 * Plans the changes of one row. If the campaign changed since the export, cells equal to the export change nothing, and
 * other cells start from the exported value. In a row without a version, a blank cell changes nothing.
 */
export function planFileRow(row: FileRow, subject: FileSubject): BulkPlan {
  const { campaign, present, version, notation, choices, exported, memberKindOf } = subject;
  const isChanged = row.version !== null && row.version !== version;
  const base = isChanged ? exported(row.version ?? '') : campaign;
  const changes: FileChange[] = [];
  const fileValues = new Map<string, JsonValue>();
  const problems: Sentence[] = [];
  for (const [field, cell] of row.cells) {
    const stored = own(campaign, field);
    if (stored === undefined) {
      if (cell.trim() !== '')
        problems.push(sentence`The campaign has no field ${ownWords(fieldLabel(field))}.`);
      continue;
    }
    if ((row.version ?? '') === '' && cell.trim() === '') continue;
    const form = { ...notation, kind: memberKindOf(field) };
    const [from = stored] = [own(base ?? campaign, field)];
    fileValues.set(field, from);
    const comparedToExport = readCell(field, cell, from, form);
    if (comparedToExport.kind === 'same') continue;
    const choice = comparedToExport.kind === 'doubt' ? choices[comparedToExport.doubt] : null;
    if (choice === 'keep') continue;
    if (comparedToExport.kind === 'doubt' && choice === null)
      problems.push(
        sentence`${ownWords(comparedToExport.message)} ${ownWords(choiceMessages[comparedToExport.doubt])}`,
      );
    const comparedToStored = readCell(field, cell, stored, form);
    // A damaged cell is refused even if the stored value has changed.
    const read =
      comparedToExport.kind === 'wrong' && comparedToStored.kind === 'value'
        ? comparedToExport
        : comparedToStored;
    if (read.kind === 'wrong') problems.push(read.message);
    else fileValues.set(field, read.kind === 'same' ? stored : read.value);
    if (read.kind === 'value' || read.kind === 'doubt') changes.push(change(field, read.value, from));
  }
  const flags = flagChanges(changes, { says: fileValues, present, base: base ?? campaign });
  const after = { ...present };
  for (const { field, value } of [...changes, ...flags]) after[field] = value;
  problems.push(...changes.flatMap((one) => noEffectProblem(one, after) ?? []));
  if (problems.length > 0) return { kind: 'problem', message: joinSentences(problems) };
  if (changes.length > 0 && base === null) return { kind: 'conflict', message: unknownExport };
  return { kind: 'changes', changes: [...changes, ...flags] };
}

const unknownExport =
  'Conflict: the campaign changed since the export, and the exported values are not known any more. Export it again.';

type FileChange = FieldChange & { value: JsonValue };

function change(field: string, value: JsonValue, from: JsonValue): FileChange {
  return { field, value, from, operations: [{ kind: 'set', value }] };
}

/** Sets the flag of a list that gets entries to 0, unless the file sets the flag to 1. An emptied list keeps its flag. */
function flagChanges(
  changes: readonly FileChange[],
  { says, present, base }: { says: ReadonlyMap<string, JsonValue>; present: JsonObject; base: JsonObject },
): FileChange[] {
  const changed = new Set(changes.map(({ field }) => field));
  return changes.flatMap(({ field, value }) => {
    const flag = flagOfList(field);
    if (flag === undefined || isEmpty(value) || changed.has(flag) || says.get(flag) === 1) return [];
    const now = own(present, flag);
    if (now === undefined || now === 0) return [];
    const [from = now] = [own(base, flag)];
    return [change(flag, 0, from)];
  });
}

function noEffectProblem({ field, value }: FileChange, after: JsonObject): Sentence | null {
  if (isEmpty(value)) return null;
  const flag = flagOfList(field);
  if (flag === undefined) {
    const reason = noEffectReason(field, after);
    return reason === null ? null : sentence`${ownWords(reason)}`;
  }
  if (own(after, flag) !== 1) return null;
  const [all, list] = [ownWords(fieldLabel(flag)), ownWords(fieldLabel(field))];
  return sentence`${all} says all, so ${list} would have no effect. Set ${ownWords(flag)} to 0.`;
}

function isEmpty(value: JsonValue): boolean {
  return value === 0 || value === '' || (Array.isArray(value) && value.length === 0);
}
