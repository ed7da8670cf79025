import Papa from 'papaparse';
import type { FileEncoding, FileSeparator } from '#shared/app-api/index.ts';

type Parsed = BulkWork['parse']['output'];

const maxRecords = 10_001;
const maxColumns = 300;
const maxCellLength = 100_000;

const separators: FileSeparator[] = [',', ';', '\t'];

/** Parses a CSV file (RFC 4180). `line` is the line where a record starts. Skips blank records. */
export function parseFile({ bytes, as }: BulkWork['parse']['input']): Parsed {
  const encoding = as.encoding ?? encodingOf(bytes);
  const text = decoded(bytes, encoding);
  if (text === null) return { kind: 'refused', reason: 'encoding', line: 1 };
  const [directive = '', named] = separatorLine.exec(text) ?? [];
  const separator = as.separator ?? separators.find((one) => one === named) ?? separatorOf(text);
  const records: FileRecord[] = [];
  let refused: Parsed | null = null;
  let [line, read] = [directive === '' ? 1 : 2, directive.length];
  const refuse = (reason: FileRefusal): void => {
    refused ??= { kind: 'refused', reason, line };
  };
  Papa.parse<string[]>(text.slice(directive.length), {
    delimiter: separator,
    step({ data, errors, meta }, parser) {
      // After the last line end, the parser reports a record with one empty cell.
      const isBlank = data.every((cell) => cell.trim() === '');
      if (errors.length > 0) refuse('quotes');
      else if (data.length > maxColumns) refuse('columns');
      else if (data.some((cell) => cell.length > maxCellLength)) refuse('cell');
      else if (!isBlank && records.length === maxRecords) refuse('rows');
      if (refused !== null) return parser.abort();
      if (!isBlank) records.push({ line, cells: data });
      line += linesIn(text.slice(read, directive.length + meta.cursor));
      read = directive.length + meta.cursor;
    },
  });
  return refused ?? { kind: 'parsed', form: { encoding, separator }, records };
}

/** A first line `sep=;`, which names the separator. A spreadsheet may have quoted or padded the line. */
const separatorLine = /^"?sep=(.)"?[;,\t]*(?:\r\n|\n|\r)/iu;

/** Detects UTF-16 by its byte order mark or zero bytes, else UTF-8 if the bytes are valid, else Windows-1252. */
function encodingOf(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 2_000);
  const zeros = (from: number): number => start.filter((byte, at) => at % 2 === from && byte === 0).length;
  if (zeros(1) > start.length / 4) return 'utf-16le';
  if (zeros(0) > start.length / 4) return 'utf-16be';
  return decoded(bytes, 'utf-8') === null ? 'windows-1252' : 'utf-8';
}

function decoded(bytes: Uint8Array, encoding: FileEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function separatorOf(text: string): FileFormat['separator'] & string {
  const head = text.slice(0, 20_000).replaceAll(/"(?:[^"]|"")*"/gu, '');
  const [line = ''] = head.split(/[\r\n]/u);
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/gu)?.length ?? 0;
}

interface FieldTexts {
  field: string;
  texts: string[];
}

export interface FileRecord {
  line: number;
  cells: string[];
}

interface FileFormat {
  encoding: FileEncoding | null;
  separator: FileSeparator | null;
}

export interface KnownFileFormat {
  encoding: FileEncoding;
  separator: FileSeparator;
}

export type FileRefusal = 'encoding' | 'quotes' | 'rows' | 'columns' | 'cell';

/** Tasks of the bulk worker. Some inputs, such as a slow pattern, may run forever. */
export interface BulkWork {
  /** Replaces matches. Null for a result longer than `maxLength` (UTF-16 units). */
  replace: {
    input: { pattern: RegExp; replacement: string; maxLength: number; fields: FieldTexts[] };
    output: { field: string; texts: (string | null)[] }[];
  };
  parse: {
    input: { bytes: Uint8Array; as: FileFormat };
    output:
      | { kind: 'parsed'; form: KnownFileFormat; records: FileRecord[] }
      | { kind: 'refused'; reason: FileRefusal; line: number };
  };
}

export type BulkWorkKind = keyof BulkWork;

export type BulkTask = { [K in BulkWorkKind]: { kind: K; input: BulkWork[K]['input'] } }[BulkWorkKind];

export type BulkMessage = { kind: 'at'; part: string } | { kind: 'done'; output: unknown };
