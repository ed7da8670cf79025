import { appBridge } from '#renderer/api/app-bridge.ts';
import { draftsStore } from '../drafts/index.ts';
import { createBesideStore } from './beside-store.ts';
import { createCopiesStore } from './copies-store.ts';
import { createEditorStore } from './editor-store.ts';

export type { CampaignValues, PictureLoad } from './beside-store.ts';
export type { OpenCampaign, Refusal } from './editor-store.ts';
export { hasUnsavedEdits, typedFault } from './editor-store.ts';

/** The page's store of the editor. */
export const editorStore = createEditorStore(appBridge, draftsStore);

/** The page's store of earlier states of the open campaign. */
export const copiesStore = createCopiesStore(appBridge);

/** State that the editor uses beside the open campaign. */
export const besideStore = createBesideStore(appBridge);
