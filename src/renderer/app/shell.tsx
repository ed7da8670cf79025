import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { cx, EmptyState, ToastCorner } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { AlertToast, ReviewToast, Switching } from './toasts.tsx';
import { LostBanner, StoppedPage, VaultDialog } from './desktop.tsx';
import { FreezeNotices, NotPausedBand } from './freeze.tsx';
import { ShortcutsDialog } from './commands/shortcuts.tsx';
import { useShortcuts } from './commands/use-shortcuts.ts';
import { Page } from './page.tsx';
import { Palette } from './commands/palette.tsx';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import styles from './shell.module.css';

/** The window: the profile at the top, the pages at the left, the status at the foot. */
export function Shell(): ReactElement {
  useShortcuts();
  const overlay = useStore(uiStore, (state) => state.overlay);
  const connection = useStore(sessionStore, (state) => state.connection);
  // Between two profiles no row is shown: it could be of either.
  const leaving = useStore(sessionStore, (state) => state.leaving);
  const switching = useStore(profilesStore, (state) => state.doing?.kind === 'switch');
  const going = leaving || switching;
  if (connection.kind === 'signed-out') return <SignedOut />;
  if (connection.kind === 'stopped') return <StoppedPage failure={connection.failure} />;
  return (
    <ToastCorner>
      <div className={styles.shell}>
        <TitleBar />
        <Rail />
        <div className={styles.notice}>
          <LostBanner />
          <NotPausedBand />
        </div>
        <main className={cx(styles.page, going && styles.going)} aria-busy={going} inert={going}>
          {leaving ? null : <Page />}
        </main>
        <StatusBar />
        <ReviewToast />
        <AlertToast />
        <Switching />
        <FreezeNotices />
        {/* Loaded with the page: after the key that opens it, the next key must find the focus in it. */}
        {overlay === 'palette' && <Palette />}
        {overlay === 'shortcuts' && <ShortcutsDialog />}
        {overlay === 'vault' && <VaultDialog />}
      </div>
    </ToastCorner>
  );
}

function SignedOut(): ReactElement {
  return (
    <main className={styles.gate}>
      <EmptyState icon="lock" title="Open the address that Countersign printed">
        This page has no session yet. Open the one-time address that the terminal printed. Press “o” and Enter
        there for a new one.
      </EmptyState>
    </main>
  );
}
