import '#renderer/ui/styles/base.css';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { agentsStore } from '#renderer/stores/agents/index.ts';
import { campaignsStore } from '#renderer/stores/campaigns/index.ts';
import { editorStore } from '#renderer/stores/editor/index.ts';
import { alertsStore } from '#renderer/stores/report-alerts/index.ts';
import { profilesStore, signInStore } from '#renderer/stores/profiles/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { createRoot } from 'react-dom/client';
import { followDesktop } from './desktop/follow-desktop.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { followTheme } from './theme.ts';

followTheme();
campaignsStore.getState().start();
editorStore.getState().start();
profilesStore.getState().start();
signInStore.getState().start();
agentsStore.getState().start();
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
