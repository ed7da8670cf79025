export { writeAnchor } from './anchor/anchor.ts';
export { createLedger } from './create-ledger.ts';
export type { Ledger } from './create-ledger.ts';
export type { NewEntry } from './entry.ts';
export { restoredEntry } from './restored.ts';
export type { RestoredFrom } from './restored.ts';
export { verifyLedgerExport } from './verify/verify-export.ts';
export type { ExportReport } from './verify/verify-export.ts';
export { verifyLedgerFile } from './verify/verify-file.ts';
