export { createLedgerReader } from './ledger-reader.ts';
export type { LedgerPageQuery, LedgerReader } from './ledger-reader.ts';
export type { LedgerRow } from './ledger-reader.ts';
export { createLedgerWriter } from './ledger-writer.ts';
export type { LedgerWriter } from './ledger-writer.ts';
export { openLedgerFile } from './open-ledger-file.ts';
