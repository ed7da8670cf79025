import { z } from 'zod';
import { ledgerFilterSchema } from './ledger.ts';

/** The first line of an export (docs/ledger-format.md). */
export const exportHeaderSchema = z.strictObject({
  format: z.literal('countersign ledger'),
  version: z.literal(1),
  /** How rows were selected; null where every row is there. */
  selection: ledgerFilterSchema.nullable(),
  /** How many rows follow. */
  rows: z.int().min(0),
  /** Of the whole ledger at the moment of the export; null where nobody could vouch for it. Its form is the verifier's question. */
  anchor: z.unknown(),
  /** Every key that the ledger had introduced, oldest first. */
  keys: z.array(
    z.strictObject({ keyId: z.string(), publicKey: z.string(), fromSeq: z.int(), endorsed: z.boolean() }),
  ),
});

export type ExportHeaderLine = z.infer<typeof exportHeaderSchema>;
