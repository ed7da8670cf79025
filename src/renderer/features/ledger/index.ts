export { KeptCopiesSetting, KeptDetailsSetting } from './kept-days.tsx';
export { LedgerView } from './ledger-view.tsx';
