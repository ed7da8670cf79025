import { appBridge } from '#renderer/api/app-bridge.ts';
import { createBulkStore } from './bulk-store.ts';

export { pastedMembers, readForm, readingsOf } from './bulk-form.ts';
export type { BulkForm, BulkSubject } from './bulk-form.ts';
export type { BulkPageState, BulkShow } from './bulk-store.ts';

/** The page's store of changes of many campaigns. */
export const bulkStore = createBulkStore(appBridge);
