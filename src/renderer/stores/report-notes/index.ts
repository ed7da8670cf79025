import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText, newFile } from '#renderer/api/host-services.ts';
import { createMarksStore } from './marks-store.ts';
import { createViewsStore } from './views-store.ts';

export { markOf, targetKey } from './marks-store.ts';
export type { FiguresNow } from './marks-store.ts';
export type { MarksNotice } from './marks-store.ts';

/** The page's store of marks. */
export const marksStore = createMarksStore({ bridge: appBridge, copyText, newFile });

/** The page's store of saved views. */
export const viewsStore = createViewsStore(appBridge);
