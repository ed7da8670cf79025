import type { Table } from '../table.ts';

/** The report whose answer is read: it decides which columns must have which kinds (contract §2.5, §2.6). */
export type ReportShape = { kind: 'xml'; groupBy: 'day' | 'geo' | 'subid' } | { kind: 'search' };

export interface ParsedReport {
  /** The report's label: foreign text. */
  message: string;
  table: Table;
  receivedBytes: number;
}

/**
 * Reads one answer of a publisher report, chunk by chunk, split anywhere. Strict: `push` and `finish` fail with
 * `service_answer_unreadable`, naming row, field and what is wrong, or with `number_too_large`; after that the parser is of no use.
 */
export class ReportParser {
  readonly shape: ReportShape;

  constructor(shape: ReportShape) {
    this.shape = shape;
  }

  /** Rows that were read so far. */
  get rowCount(): number {
    return 0;
  }

  /** Reads the next bytes. The caller may reuse the chunk afterwards. */
  push(chunk: Uint8Array): void {
    throw new Error(`Not built yet: ${chunk.length}`);
  }

  /** Checks that the answer is complete, and gives its rows. */
  finish(): ParsedReport {
    throw new Error('Not built yet');
  }
}
