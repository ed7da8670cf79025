import '#renderer/ui/styles/base.css';
import { Component, lazy, type ReactElement, type ReactNode, Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/place.ts';
import { formatsIn, sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Button, EmptyState, FormatsProvider, keepFocusWhileDisabled } from '#renderer/ui/index.ts';
import { followDesktop } from './desktop.tsx';
import { windowTitle } from './profile-words.ts';
import { Shell } from './frame/shell.tsx';
import { startStores } from './start-stores.ts';

const TrainingWindow = lazy(async () => ({
  default: (await import('./training/training-window.tsx')).TrainingWindow,
}));

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

/**
 * Keeps theme, density and the profile's colour on the root element, where the tokens look for them, and the profile's name in the title.
 * Writes what differs only: charts are drawn anew whenever one of them is written, and the stores report every read of the status.
 */
function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const put = (name: string, value: string): void => {
    if (dataset[name] !== value) dataset[name] = value;
  };
  const apply = (): void => {
    const { theme, density } = uiStore.getState();
    put('theme', theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme);
    put('density', density);
    const profile = sessionStore.getState().session?.profile;
    if (profile) put('profile', profile.kind);
    const title = isTraining() ? 'Training — Countersign' : windowTitle(profile);
    if (document.title !== title) document.title = title;
  };
  apply();
  dark.addEventListener('change', apply);
  uiStore.subscribe(apply);
  sessionStore.subscribe(apply);
}

/** The window of the app, which writes numbers and moments as the person set it. */
function WorkWindow(): ReactElement {
  const session = useStore(sessionStore, (state) => state.session);
  const formats = useMemo(() => formatsIn({ session }), [session]);
  return (
    <FormatsProvider value={formats}>
      <Shell />
    </FormatsProvider>
  );
}

followTheme();
keepFocusWhileDisabled(document);
if (!isTraining()) startStores();
if (desktopHost) followDesktop(desktopHost);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ErrorBoundary>
      <Suspense>{isTraining() ? <TrainingWindow /> : <WorkWindow />}</Suspense>
    </ErrorBoundary>,
  );
}
