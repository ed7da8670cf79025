import '#renderer/ui/styles/base.css';
import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { agentsStore, emergencyStopStore } from '#renderer/stores/agents/index.ts';
import { listViewsStore, notesStore } from '#renderer/stores/campaign-notes/index.ts';
import {
  campaignsStore,
  fullStore,
  lastChangesStore,
  returnsStore,
  waitingStore,
} from '#renderer/stores/campaigns/index.ts';
import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { editorStore } from '#renderer/stores/editor/index.ts';
import { profilesStore, signInStore } from '#renderer/stores/profiles/index.ts';
import { alertsStore } from '#renderer/stores/report-alerts/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Button, EmptyState } from '#renderer/ui/index.ts';
import { followDesktop } from './desktop.tsx';
import { windowTitle } from './profile-words.ts';
import { Shell } from './shell.tsx';

/** Catches a bug of the page itself: says what is safe and offers a reload, instead of a white page. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState
        icon="alert-circle"
        title="This page stopped working"
        action={
          <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        A bug in the page, not in your data: nothing is sent without your confirmation, and everything that
        was confirmed is in the ledger.
      </EmptyState>
    );
  }
}

/** Keeps theme, density and the profile's colour on the root element, where the tokens look for them, and the profile's name in the title. */
function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const apply = (): void => {
    const { theme, density } = uiStore.getState();
    dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    dataset['density'] = density;
    const profile = sessionStore.getState().session?.profile;
    if (profile) dataset['profile'] = profile.kind;
    document.title = windowTitle(profile);
  };
  apply();
  dark.addEventListener('change', apply);
  uiStore.subscribe(apply);
  sessionStore.subscribe(apply);
}

followTheme();
campaignsStore.getState().start();
waitingStore.getState().start();
returnsStore.getState().start();
fullStore.getState().start();
lastChangesStore.getState().start();
notesStore.getState().start();
listViewsStore.getState().start();
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
if (desktopHost) followDesktop(desktopHost);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ErrorBoundary>
      <Shell />
    </ErrorBoundary>,
  );
}
