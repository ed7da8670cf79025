export { createDecisionReader } from './decision-rows.ts';
export type { DecisionReader, DecisionRow, TakenBack } from './decision-rows.ts';
export { createLedgerReader } from './ledger-rows.ts';
export type { LedgerPageQuery, LedgerReader } from './ledger-rows.ts';
export type { LedgerRow } from './ledger-rows.ts';
export { createLedgerWriter } from './ledger-rows.ts';
export type { LedgerWriter } from './ledger-rows.ts';
