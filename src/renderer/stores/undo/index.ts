import { appBridge } from '#renderer/api/app-bridge.ts';
import { reviewStore } from '../review/index.ts';
import { createUndoStore } from './undo-store.ts';

export { undoOf } from './undo-store.ts';

/** The page's store of changes that can be taken back. */
export const undoStore = createUndoStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
});
