export { endRestored, recordRestore } from './after-restore.ts';
export { dataRequests } from './requests.ts';
export type { DataRequests } from './requests.ts';
export { settleFolder } from './settle-folder.ts';
