export { createLedger } from './create-ledger.ts';
export type { Ledger } from './create-ledger.ts';
export type { NewEntry } from './entry.ts';
export { verifyLedgerFile } from './verify/verify-file.ts';
