export { endRestored, recordRestore, settleFolder } from './settle-folder.ts';
export { dataRequests, type DataRequests } from './requests.ts';
