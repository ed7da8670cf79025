import { usualFormats } from '#shared/lib/formats.ts';
/**
 * Limits on the size of an answer, so that reading it stays within the memory of the program. More is refused, never
 * cut.
 */
export interface ReportLimits {
  /** Bytes of the answer. */
  bytes: number;
  rows: number;
  /** Names of fields, all rows taken together; members of the envelope. */
  columns: number;
  /** Rows times columns; looked at every 1,024 rows. */
  cells: number;
  /** Bytes of one row, or of one member of the envelope other than `data`. */
  pieceBytes: number;
  /** Bytes of one text in UTF-8, the label of the report included. */
  textBytes: number;
  /** Bytes of the name of a field. */
  nameBytes: number;
  /** Bytes of the different texts of all columns; looked at every 1,024 rows. */
  distinctTextBytes: number;
}

export const reportLimits: Readonly<ReportLimits> = {
  bytes: 512 * 2 ** 20,
  rows: 2_000_000,
  columns: 60,
  cells: 24_000_000,
  pieceBytes: 2 ** 20,
  textBytes: 4_096,
  nameBytes: 200,
  distinctTextBytes: 64 * 2 ** 20,
};

/** A number of bytes for a message: `512 MiB`, `4,096 bytes`. */
export function bytesText(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${usualFormats.count(bytes)} bytes`;
}
