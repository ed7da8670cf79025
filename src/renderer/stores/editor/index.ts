import { appBridge } from '#renderer/api/app-bridge.ts';
import { draftsStore } from '../drafts/index.ts';
import { createEditorStore } from './editor-store.ts';

export type { OpenCampaign } from './editor-store.ts';
export { hasUnsavedEdits } from './editor-store.ts';

/** The page's store of the editor. */
export const editorStore = createEditorStore(appBridge, draftsStore);
