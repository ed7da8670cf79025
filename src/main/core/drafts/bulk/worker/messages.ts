import type { FileEncoding, FileSeparator } from '#shared/app-api/index.ts';

/** The texts of one field, in any number of campaigns. */
export interface FieldTexts {
  field: string;
  texts: string[];
}

/** A record of a file: the line that it begins in, from 1, and its cells. */
export interface FileRecord {
  line: number;
  cells: string[];
}

/** Encodings and separators of files; null for what is to be detected. */
export interface FileForm {
  encoding: FileEncoding | null;
  separator: FileSeparator | null;
}

export interface KnownFileForm {
  encoding: FileEncoding;
  separator: FileSeparator;
}

/** The reasons for which a file is not read. */
export type FileRefusal = 'encoding' | 'quotes' | 'rows' | 'columns' | 'cell';

/** Work of the bulk worker: what may take for ever with an input that a person or a file chose. */
export interface BulkWork {
  /** Replaces in every text; null for a result of more than `maxLength` characters (UTF-16). */
  replace: {
    input: { pattern: RegExp; replacement: string; maxLength: number; fields: FieldTexts[] };
    output: { field: string; texts: (string | null)[] }[];
  };
  /** Decodes a file and takes it apart; what is null in `as` is detected. */
  parse: {
    input: { bytes: Uint8Array; as: FileForm };
    output:
      | { kind: 'parsed'; form: KnownFileForm; records: FileRecord[] }
      | { kind: 'refused'; reason: FileRefusal; line: number };
  };
}

export type BulkWorkKind = keyof BulkWork;

/** One piece of work, given to a worker at its start. */
export type BulkTask = { [K in BulkWorkKind]: { kind: K; input: BulkWork[K]['input'] } }[BulkWorkKind];

/** From the worker: the part that it begins with, and the result. */
export type BulkMessage = { kind: 'at'; part: string } | { kind: 'done'; output: unknown };
