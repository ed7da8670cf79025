import { z } from 'zod';
import { ledgerFilterSchema } from '#shared/app-api/index.ts';
import { readAnchorForm } from '../anchor/anchor.ts';
import { objectOf } from './export-line.ts';

/** The first line of an export (docs/ledger-format.md). */
const headerSchema = z.strictObject({
  format: z.literal('countersign ledger'),
  version: z.literal(1),
  /** How rows were selected; null where every row is there. */
  selection: ledgerFilterSchema.nullable(),
  /** How many rows follow. */
  rows: z.int().min(0),
  /** For the whole ledger at the moment of the export; null where nobody could vouch for it. */
  anchor: z.unknown().transform((value) => readAnchorForm(value)),
  /** Every key that the ledger had introduced, oldest first. */
  keys: z.array(
    z.strictObject({ keyId: z.string(), publicKey: z.string(), fromSeq: z.int(), endorsed: z.boolean() }),
  ),
});

export type ExportHeader = z.output<typeof headerSchema>;

export function headerLine(header: Omit<ExportHeader, 'format' | 'version'>): string {
  const { selection, rows, anchor, keys } = header;
  return JSON.stringify({ format: 'countersign ledger', version: 1, selection, rows, anchor, keys });
}

/** Reads a header back; null where the line is none. */
export function readHeader(line: string): ExportHeader | null {
  return headerSchema.safeParse(objectOf(line)).data ?? null;
}
