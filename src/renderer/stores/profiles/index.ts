import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { guardrailsStore, isEditing } from '../agents/index.ts';
import { hasUnsavedNotes, notesStore } from '../campaign-notes/index.ts';
import { draftsStore } from '../drafts/index.ts';
import { editorStore, hasUnsavedEdits } from '../editor/index.ts';
import { sessionStore } from '../session/index.ts';
import { createProfilesStore } from './profiles-store.ts';
import { createSignInStore } from './sign-in-store.ts';

export { addressesOfOrigin, withToolsAddress } from './profiles-store.ts';
export type { Doing, ProfilesState } from './profiles-store.ts';
export { isUnderWay } from './sign-in-store.ts';

/** The page's store of profiles. */
export const profilesStore = createProfilesStore(appBridge, {
  hasUnsavedEdits: () =>
    hasUnsavedEdits(editorStore.getState()) ||
    hasUnsavedNotes(notesStore.getState()) ||
    isEditing(guardrailsStore.getState()),
  draftsStored: () => draftsStore.getState().stored(),
  reload: () => sessionStore.getState().reload(),
});

/** The page's store of the sign-in under way. */
export const signInStore = createSignInStore({ bridge: appBridge, copyText });
