import { appBridge } from '#renderer/api/app-bridge.ts';
import { createListViewsStore } from './list-views-store.ts';
import { createNotesStore } from './notes-store.ts';

export { hasUnsavedNotes, isTooLong, labelsOn } from './notes-store.ts';

/** The page's store of labels and notes. */
export const notesStore = createNotesStore(appBridge);

/** The page's store of saved filters and views of the campaign list. */
export const listViewsStore = createListViewsStore(appBridge);
