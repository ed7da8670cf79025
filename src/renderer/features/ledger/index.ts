export { LedgerView } from './ledger-view.tsx';
