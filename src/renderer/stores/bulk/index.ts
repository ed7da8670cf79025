import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import { draftsStore } from '../drafts/index.ts';
import { serviceToday, sessionStore } from '../session/index.ts';
import { createBulkFileStore } from './bulk-file-store.ts';
import { createBulkStore } from './bulk-store.ts';

export { maxLengths, pastedMembers, readForm, readingsOf } from './bulk-form.ts';
export type { BulkForm, BulkSubject, OtherField } from './bulk-form.ts';
export type { FileReading } from './bulk-file-store.ts';
export type { BulkPageState, BulkShow } from './bulk-store.ts';

/** Campaigns that one change names at most (the app API's limit). */
export const maxBulk = 10_000;

/** The page's store of changes of many campaigns. */
export const bulkStore = createBulkStore(appBridge, draftsStore, () => serviceToday(sessionStore.getState()));

/** The page's store of files of campaigns. */
export const bulkFileStore = createBulkFileStore({ bridge: appBridge, newFile });

/** The files that can hold campaigns, as a file input takes them. */
export const campaignFileTypes = '.csv,.tsv,.txt,text/csv';

/** Opens a file and begins a change of its campaigns. True if it was read. */
export async function openCampaignFile(file: File): Promise<boolean> {
  if (!(await bulkFileStore.getState().open(file))) return false;
  await bulkStore.getState().beginWithFile();
  return true;
}
