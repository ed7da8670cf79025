export { endRestored, recordRestore, completeDeletionOrRestore } from './complete-deletion-or-restore.ts';
export { dataRequests, type DataRequests } from './requests.ts';
