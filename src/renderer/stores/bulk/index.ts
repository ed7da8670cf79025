import { appBridge } from '#renderer/api/app-bridge.ts';
import { createBulkStore } from './bulk-store.ts';

export { pastedMembers, readForm, readingsOf } from './bulk-form.ts';
export type { BulkForm, BulkSubject } from './bulk-form.ts';
export type { BulkPageState, BulkShow } from './bulk-store.ts';

/** Campaigns that one change names at most (the app API's limit). */
export const maxBulk = 10_000;

/** The page's store of changes of many campaigns. */
export const bulkStore = createBulkStore(appBridge);
