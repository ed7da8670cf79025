import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { sessionStore } from '../session/index.ts';
import { createDataStore } from './data-store.ts';
import { createSupportStore } from './support-store.ts';

export type { DataAction } from './data-store.ts';
export { deletionWord } from '#shared/app-api/index.ts';

/** The page's store of backup, restore and deletion. */
export const dataStore = createDataStore({
  bridge: appBridge,
  newFile,
  reload: (place) => sessionStore.getState().reload(place),
});

const host = desktopHost;

/** The page's store of the support bundle. */
export const supportStore = createSupportStore({
  bridge: appBridge,
  newFile,
  hostDiagnostics: host && (async () => (await host.ask('desktop.diagnostics', {})).text),
  nowMs: Date.now,
});
