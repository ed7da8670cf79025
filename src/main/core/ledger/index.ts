export { writeAnchor } from './anchor.ts';
export { createLedger, type Ledger } from './create-ledger.ts';
export { entryBy, type NewEntry, restoredEntry, type RestoredFrom } from './entry.ts';
export { verifyLedgerExport, type ExportReport, verifyLedgerFile } from './verify/verify-export.ts';
