import { appBridge } from '#renderer/api/app-bridge.ts';
import { createCheckStore } from './check-store.ts';
import { createDraftsStore } from './drafts-store.ts';

export type { DraftChange, DraftsState, DraftsStore } from './drafts-store.ts';

/** The page's drafts. */
export const draftsStore = createDraftsStore(appBridge);

/** The page's check of drafts. */
export const checkStore = createCheckStore(appBridge, draftsStore);
