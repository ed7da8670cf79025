import { appBridge } from '#renderer/api/app-bridge.ts';
import { createLedgerStore } from './ledger-store.ts';

export { hasOlder } from './entry-list.ts';
export type { LedgerState, LedgerStore } from './ledger-store.ts';

/** The page's store of the ledger. */
export const ledgerStore = createLedgerStore(appBridge);
