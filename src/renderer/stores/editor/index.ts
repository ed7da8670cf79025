import { appBridge } from '#renderer/api/app-bridge.ts';
import { createEditorStore } from './editor-store.ts';

export { checkDraft } from './draft.ts';
export type { CheckedDraft } from './draft.ts';
export { shownText } from './draft.ts';
export type { Draft, EditableField } from './draft.ts';
export type { OpenCampaign } from './editor-store.ts';
export { hasUnsavedEdits } from './editor-store.ts';

/** The page's store of the detail panel. */
export const editorStore = createEditorStore(appBridge);
