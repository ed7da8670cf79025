import { desktopHost } from '#renderer/api/desktop-host.ts';
import { createBehaviourStore } from './behaviour-store.ts';
import { createDesktopStore } from './desktop-store.ts';

export type { DesktopState, DesktopStore } from './desktop-store.ts';
export { vaultNotice } from './desktop-store.ts';

/** The page's store of the desktop around it. */
export const desktopStore = createDesktopStore(desktopHost);

/** The page's store of how the desktop behaves. */
export const behaviourStore = createBehaviourStore(desktopHost);
