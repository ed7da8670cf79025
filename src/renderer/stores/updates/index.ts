import { desktopHost } from '#renderer/api/desktop-host.ts';
import { createUpdatesStore } from './updates-store.ts';

/** The page's store of updates of this installation. */
export const updatesStore = createUpdatesStore(desktopHost);
