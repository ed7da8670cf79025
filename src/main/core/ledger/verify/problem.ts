import type { LedgerReport } from '#shared/app-api/index.ts';

/** The first thing that does not verify. */
export type LedgerProblem = NonNullable<LedgerReport['problem']>;

/** Every way in which a ledger fails, in plain words. Codes are for programs and never change. */
const texts = {
  table_altered:
    'The ledger’s table, one of its indexes or a trigger is not the one that Countersign made: the file was altered, and its rows prove nothing.',
  table_damaged: 'The ledger’s table does not agree with its own indexes: the file was damaged or altered.',
  row_missing: 'A row is missing here: it was deleted, or rows were put in another order.',
  link_broken:
    'This row does not continue the row before it: a row was deleted, inserted, moved or replaced.',
  row_unreadable: 'The body of this row is not in its canonical form: it was edited.',
  row_edited: 'The content of this row is not what was sealed: it was edited.',
  key_unknown: 'This row is signed with a key that the ledger has not introduced.',
  key_introduction_wrong: 'This row introduces a key in a way that does not fit the ledger.',
  signature_wrong: 'The signature of this row does not hold: it was not written by Countersign.',
  anchor_missing: 'The anchor is missing, so rows may have been cut off at the end.',
  anchor_unreadable: 'The anchor is damaged or was edited.',
  anchor_key_wrong: 'The anchor is signed with another key than the row it names: it was replaced.',
  anchor_signature_wrong: 'The signature of the anchor does not hold: it was edited.',
  anchor_behind:
    'The anchor is behind by more than a crash explains: it was put back, or could not be written, and rows after it may have been cut off.',
  rows_cut:
    'The anchor names this row, but the table ends before it: rows were cut off, or an old table was restored.',
  rows_rewritten: 'The row that the anchor names has another hash: the rows up to it were rewritten.',
  header_wrong: 'The first line is not the header of a ledger export: it was edited or cut off.',
  rows_uncounted: 'The header names another number of rows than follow it: rows were cut off or added.',
  head_not_found:
    'No row has the hash that was noted elsewhere: the ledger was rewritten or restored from an older copy.',
} as const;

export type LedgerProblemCode = keyof typeof texts;

/** Names a problem at a row, or at none. */
export function problem(code: LedgerProblemCode, seq: number | null): LedgerProblem {
  return { seq, code, text: texts[code] };
}
