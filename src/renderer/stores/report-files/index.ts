import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyPicture, copyText, newFile } from '#renderer/api/host-services.ts';
import { formatsIn, sessionStore } from '../session/index.ts';
import { createFilesStore } from './files-store.ts';

export { canCopyPicture } from '#renderer/api/host-services.ts';
export type { FilesFlow } from './files-store.ts';
export { tableFacts, tableFileName, tableShape } from './table-file.ts';
export type { FileOrigin, ShownTable } from './table-file.ts';

/** The page's store of files, copies and pictures of reports. */
export const filesStore = createFilesStore({
  bridge: appBridge,
  copyText,
  copyPicture,
  newFile,
  formats: () => formatsIn(sessionStore.getState()),
});
