import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { emergencyStopStore } from '#renderer/stores/agents/emergency-stop-store.ts';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { returnsStore } from '#renderer/stores/campaigns/returns-store.ts';
import { dataStore } from '#renderer/stores/data-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { editorStore } from '#renderer/stores/editor/editor-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { signInStore } from '#renderer/stores/profiles/sign-in-store.ts';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';

export function startStores(): void {
  campaignsStore.getState().start();
  returnsStore.getState().start();
  notesStore.getState().start();
  dataStore.getState().start();
  draftsStore.getState().start();
  editorStore.getState().start();
  profilesStore.getState().start();
  signInStore.getState().start();
  agentsStore.getState().start();
  emergencyStopStore.getState().watch();
  alertsStore.getState().start();
  // The session must take the ticket out of the fragment before the route is parsed from it.
  sessionStore.getState().start();
  uiStore.getState().start();
}
