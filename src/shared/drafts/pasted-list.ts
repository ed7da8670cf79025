import { type EntryForm, entryKeyOf, listKindOf, parseCountryCode } from '../campaign/index.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { splitMembers } from './csv/cells.ts';
import { type EntryFault, entryFaultOf, trimEntry, entryFaultWords } from './entry-faults.ts';
import { isSingleEntry, type Member, membersOf } from './lists.ts';
import type { Formats } from '../lib/formats.ts';
import { quotedStart } from '../lib/inert-text.ts';

export type ReadEntry = (entry: string) => Member | null;

export interface PasteTarget {
  list: string;
  read: ReadEntry;
  /** True if spaces separate entries, because entries of this list contain no spaces. */
  spaces: boolean;
}

export interface PasteAnswers {
  column?: number | 'all';
  /** Reads a row such as `1,204,331` as one entry or as several. */
  parts?: 'one' | 'several';
  acceptsDoubtful?: boolean;
}

/** A question about the text. Nothing is added until every question is answered. */
export type PasteQuestion =
  { kind: 'column'; columns: { at: number; sample: string }[] } | { kind: 'parts'; example: string };

export interface SkippedEntry {
  entry: string;
  fault: EntryFault;
  isDoubtful: boolean;
}

export interface PastedList {
  added: Member[];
  alreadyThere: Member[];
  repeated: number;
  skipped: SkippedEntry[];
  cleaned: number;
  questions: PasteQuestion[];
}

const maxEntryLength = 2_000;

/**
 * Reads a pasted text with any separators. Spaces separate only if entries contain none. Separators inside quotes
 * belong to the entry. An ambiguous text yields a question.
 */
export function readPastedList(
  text: string,
  there: JsonValue,
  into: PasteTarget,
  answers: PasteAnswers = {},
): PastedList {
  const { entries, questions, hasOpenQuestion: isOpen } = splitPasted(text, into, answers);
  const result: PastedList = {
    added: [],
    alreadyThere: [],
    repeated: 0,
    skipped: [],
    cleaned: 0,
    questions,
  };
  if (isOpen) return result;
  const keyOf = entryKeyOf(into.list);
  const known = new Set((membersOf(there) ?? []).map(keyOf));
  const seen = new Set<string>();
  for (const pasted of entries) {
    const entry = trimEntry(pasted);
    if (entry !== pasted.trim()) result.cleaned += 1;
    if (entry === '') continue;
    const member = memberOf(entry, there, into, answers.acceptsDoubtful === true);
    if (typeof member === 'object') {
      result.skipped.push({ entry, ...member });
      continue;
    }
    const key = keyOf(member);
    if (seen.has(key)) {
      result.repeated += 1;
      continue;
    }
    seen.add(key);
    (known.has(key) ? result.alreadyThere : result.added).push(member);
  }
  return result;
}

function memberOf(
  entry: string,
  there: JsonValue,
  { list, read }: PasteTarget,
  takesDoubtful: boolean,
): Member | Omit<SkippedEntry, 'entry'> {
  const found = entryFaultOf(entry, listKindOf(list).entries);
  if (found !== null && !found.isDoubtful) return found;
  const member = entry.length > maxEntryLength ? null : read(entry);
  if (member === null) return { fault: 'not_understood', isDoubtful: false };
  if (found !== null && !takesDoubtful) return found;
  return isSingleEntry(there, entry) ? member : { fault: 'separator', isDoubtful: false };
}

interface SplitText {
  entries: string[];
  questions: PasteQuestion[];
  hasOpenQuestion: boolean;
}

const lineEnds = /[\r\n\v\f\u0085\u2028\u2029]/u;

function splitPasted(text: string, { list, spaces, read }: PasteTarget, answers: PasteAnswers): SplitText {
  const rows = splitOutsideQuotes(text, lineEnds).filter((row) => row.trim() !== '');
  const questions: PasteQuestion[] = [];
  const unanswered: SplitText = { entries: [], questions, hasOpenQuestion: true };
  const table = tableOf(rows, spaces);
  const columns = table === null ? [] : filledColumns(table);
  if (columns.length > 1) {
    questions.push({ kind: 'column', columns });
    if (answers.column === undefined) return unanswered;
  }
  const cells =
    table === null
      ? rows
      : answers.column === undefined || answers.column === 'all'
        ? table.flat()
        : table.map((row) => row[Number(answers.column)] ?? '');
  const form = listKindOf(list).entries;
  const marks = groupedNumberPatterns(cells, spaces);
  const example = ambiguousCell(cells, { form, spaces, read, marks });
  if (example !== undefined) {
    questions.push({ kind: 'parts', example: example.trim() });
    if (answers.parts === undefined) return unanswered;
  }
  const isOneEntry = example !== undefined && answers.parts === 'one';
  const separators = separatorsOf({
    commas: !(isOneEntry && form === 'names'),
    spaces: spaces && !isOneEntry,
  });
  const entries = cells
    .map((cell) => (isOneEntry ? removeThousandsMarks(cell, marks) : cell))
    .flatMap((cell) => splitOutsideQuotes(cell, separators))
    .flatMap((entry) => unquote(entry).split(lineEnds))
    .flatMap((entry) => (entry.includes('|') ? splitMembers(entry) : [entry]));
  return { entries, questions, hasOpenQuestion: false };
}

function separatorsOf({ commas, spaces }: { commas: boolean; spaces: boolean }): RegExp {
  return new RegExp(`[\\t;${commas ? ',' : ''}${spaces ? String.raw`\s` : ''}]`, 'u');
}

const quotedPart = [
  String.raw`"[^"]*(?:""[^"]*)*"(?=[\s;,|]|$)`,
  String.raw`[“„][^“”„\r\n]*[”“](?=[\s;,|]|$)`,
  String.raw`'[^'\r\n]*'(?=[\s;,|]|$)`,
].join('|');
/** `1,23457E+17`, written by a spreadsheet with decimal commas. */
const exponential = String.raw`\d,\d+E[+-]\d{2,3}(?=[\s;,|]|$)`;
const part = new RegExp(String.raw`${quotedPart}|${exponential}|[^\s;,|]+|[\s;,|]`, 'gu');
const quotedText = new RegExp(`^(?:${quotedPart})$`, 'u');

function splitOutsideQuotes(text: string, separators: RegExp): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [found] of text.matchAll(part)) {
    if (found.length === 1 && separators.test(found)) {
      pieces.push(piece);
      piece = '';
    } else piece += found;
  }
  return [...pieces, piece];
}

function unquote(entry: string): string {
  const text = entry.trim();
  if (!quotedText.test(text)) return text;
  const inner = text.slice(1, -1);
  return text.startsWith('"') ? inner.replaceAll('""', '"') : inner;
}

/**
 * Splits rows by tabs, or by semicolons, commas or (in rows of digits) spaces if all rows get equally many cells. `null`
 * without columns, or if the marks may separate thousands.
 */
function tableOf(rows: readonly string[], spaces: boolean): string[][] | null {
  const tabs = rows.map((row) => splitOutsideQuotes(row, /\t/u));
  if (tabs.some((row) => row.length > 1)) return tabs;
  const marks = groupedNumberPatterns(rows, spaces);
  if (rows.length < 2 || rows.some((row) => hasGroupedNumber(row, marks))) return null;
  return (
    [/;/u, /,/u, ...(spaces && rows.every((row) => /^[\d\s]+$/u.test(row)) ? [/\s/u] : [])]
      .map((separator) => rows.map((row) => splitOutsideQuotes(row, separator)))
      .find(
        ([first = [], ...others]) => first.length > 1 && others.every((row) => row.length === first.length),
      ) ?? null
  );
}

const maxSamples = 3;

function filledColumns(table: readonly string[][]): { at: number; sample: string }[] {
  const width = Math.max(...table.map((row) => row.length));
  return Array.from({ length: width }, (_, at) => at).flatMap((at) => {
    const filled = table.map((row) => unquote(row[at] ?? '')).filter((cell) => cell !== '');
    return filled.length === 0 ? [] : [{ at, sample: filled.slice(0, maxSamples).join(', ') }];
  });
}

/** The first cell that may be one entry or several: grouped thousands, a name with a comma, or a code with a space. */
function ambiguousCell(
  cells: readonly string[],
  {
    form,
    spaces,
    read,
    marks,
  }: { form: EntryForm; marks: readonly RegExp[] } & Pick<PasteTarget, 'spaces' | 'read'>,
): string | undefined {
  const number = cells.find((cell) => hasGroupedNumber(cell, marks));
  if (number !== undefined) return number;
  const separator = form === 'names' ? /,/u : form === 'codes' && spaces ? /\s/u : null;
  if (separator === null) return undefined;
  const filled = cells
    .flatMap((cell) => (form === 'codes' ? splitOutsideQuotes(cell, /[;,]/u) : [cell]))
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  const found = filled.find((cell) => {
    const parts = splitOutsideQuotes(cell, separator);
    return parts.length > 1 && /\p{L}/u.test(cell) && parts.every((entry) => read(entry) !== null);
  });
  return filled.length > 1 ? found : undefined;
}

/**
 * Numbers of up to 15 digits with grouped thousands, for example `1,204,331` (first pattern) or `1 204 331` (second pattern).
 */
const groupedNumbers = [',', String.raw`[^\S\r\n\t]`].map(
  (mark) => new RegExp(String.raw`(?<!\d${mark}?)[1-9]\d{0,2}(?:${mark}\d{3}){1,4}(?!${mark}?\d)`, 'gu'),
);

/** `12,04,331`, as in India. */
const indianNumber = /^[1-9]\d?(?:,\d{2}){1,5},\d{3}$/gu;

/** Patterns of grouped numbers. Indian grouping counts only if all cells with commas match a pattern. */
function groupedNumberPatterns(cells: readonly string[], spaces: boolean): RegExp[] {
  const western = spaces ? groupedNumbers : groupedNumbers.slice(0, 1);
  const isIndian = cells
    .filter((cell) => cell.includes(','))
    .every((cell) => [indianNumber, ...western].some((numbers) => cell.trim().replace(numbers, '') === ''));
  return isIndian ? [...western, indianNumber] : western;
}

function hasGroupedNumber(cell: string, marks: readonly RegExp[]): boolean {
  return marks.some((numbers) => cell.trim().search(numbers) !== -1);
}

function removeThousandsMarks(cell: string, marks: readonly RegExp[]): string {
  return marks.reduce(
    (text, numbers) => text.replaceAll(numbers, (number) => number.replaceAll(/\D/gu, '')),
    cell.trim(),
  );
}

export function readerOf(list: string): ReadEntry {
  const { entries } = listKindOf(list);
  return entries === 'countries' ? parseCountryCode : entries === 'ids' ? readId : readText;
}

const readText: ReadEntry = (entry) => entry;

const readId: ReadEntry = (entry) => {
  const id = /^\d{1,15}$/u.test(entry) ? Number(entry) : 0;
  return id > 0 ? id : null;
};

export interface PasteQuestionInWords {
  label: string;
  options: { id: string; label: string }[];
  value: string;
}

const maxSampleLength = 60;

export function questionInWords(
  question: PasteQuestion,
  answers: PasteAnswers,
  formats: Formats,
): PasteQuestionInWords {
  if (question.kind === 'parts')
    return {
      label: `${quotedStart(question.example, maxSampleLength)}: one entry or several?`,
      options: [
        { id: 'one', label: 'One entry' },
        { id: 'several', label: 'Several entries' },
      ],
      value: answers.parts ?? '',
    };
  return {
    label: `The text has ${formats.counted(question.columns.length, 'column')}. Which one has the entries?`,
    options: [
      ...question.columns.map(({ at, sample }) => ({
        id: String(at),
        label: `Column ${at + 1}: ${quotedStart(sample, maxSampleLength)}`,
      })),
      { id: 'all', label: 'All columns' },
    ],
    value: answers.column === undefined ? '' : String(answers.column),
  };
}

export function withAnswer(answers: PasteAnswers, { kind }: PasteQuestion, id: string): PasteAnswers {
  if (kind === 'parts') return { ...answers, parts: id === 'one' ? 'one' : 'several' };
  // A different column has other cells, so the earlier answer about parts is dropped.
  return { column: id === 'all' ? 'all' : Number(id) };
}

/** Skipped entries by reason. `hint` explains how to fix entries that were not understood. */
export function skippedInWords(
  skipped: readonly SkippedEntry[],
  hint: string,
): { reason: string; entries: string[] }[] {
  return Object.entries(entryFaultWords).flatMap(([fault, words]) => {
    const entries = skipped.filter((one) => one.fault === fault).map(({ entry }) => entry);
    const reason = fault === 'not_understood' && hint !== '' ? `${words}. ${hint}` : words;
    return entries.length === 0 ? [] : [{ reason, entries }];
  });
}
