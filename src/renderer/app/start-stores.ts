import { agentsStore, emergencyStopStore } from '#renderer/stores/agents/index.ts';
import { listViewsStore, notesStore } from '#renderer/stores/campaign-notes/index.ts';
import {
  campaignsStore,
  fullStore,
  lastChangesStore,
  returnsStore,
  waitingStore,
} from '#renderer/stores/campaigns/index.ts';
import { dataStore } from '#renderer/stores/data/index.ts';
import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { editorStore } from '#renderer/stores/editor/index.ts';
import { profilesStore, signInStore } from '#renderer/stores/profiles/index.ts';
import { alertsStore } from '#renderer/stores/report-alerts/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';

/** Lets every store of the app follow its core. Call once. */
export function startStores(): void {
  campaignsStore.getState().start();
  waitingStore.getState().start();
  returnsStore.getState().start();
  fullStore.getState().start();
  lastChangesStore.getState().start();
  notesStore.getState().start();
  listViewsStore.getState().start();
  dataStore.getState().start();
  draftsStore.getState().start();
  editorStore.getState().start();
  profilesStore.getState().start();
  signInStore.getState().start();
  agentsStore.getState().start();
  emergencyStopStore.getState().watch();
  alertsStore.getState().start();
  // The ticket is in the fragment: the session takes it out before routes are read.
  sessionStore.getState().start();
  uiStore.getState().start();
}
