import { type ReactElement, Suspense } from 'react';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Banner,
  Button,
  cx,
  Dialog,
  DialogFoot,
  EmptyState,
  Icon,
  shortcutWords,
} from '#renderer/ui/index.ts';
import { emergencyStop, stopWords } from '../freeze.tsx';
import styles from './shell.module.css';
import type { Connection } from '#renderer/api/bridge.ts';
import { lazily } from '../lazily.ts';

const StoppedPage = lazily(async () => (await import('../desktop-dialogs.tsx')).StoppedPage);

const reload = (
  <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
    Reload
  </Button>
);

const smallReload = (
  <Button size="small" icon="refresh" onClick={() => location.reload()}>
    Reload
  </Button>
);

const safetyStatement = 'Your data is safe, and nothing is sent without your approval.';

export const pageFault = (
  <div className={styles.fault} role="alert">
    <EmptyState icon="alert-circle" title="This page stopped working" action={reload}>
      {safetyStatement} The emergency stop and the other pages still work.
    </EmptyState>
  </div>
);

export const windowFault = (
  <main className={styles.gate} role="alert">
    <EmptyState
      icon="alert-circle"
      title="This window stopped working"
      action={
        <span className={styles.faultActions}>
          {reload}
          <StopButton size="normal" />
        </span>
      }
    >
      {safetyStatement}
    </EmptyState>
  </main>
);

export const titleBarFault = (
  <header className={cx(styles.title, styles.crowded)}>
    <strong role="alert">The title bar stopped working. Reload to see the profile.</strong>
    <span />
    <div className={styles.faultActions}>
      {smallReload}
      <StopButton size="small" />
    </div>
  </header>
);

export const noticeFault = (
  <Banner flush tone="danger" title="A message cannot be shown here." actions={smallReload}>
    It may say that a pause waits for you: look at Proposals, or reload.
  </Banner>
);

export const railFault = (
  <nav className={styles.rail} aria-label="Sections">
    <button
      type="button"
      className={styles.entry}
      title="The sections stopped working. Reload the window."
      onClick={() => location.reload()}
    >
      <Icon name="refresh" />
      <span className={styles.word}>Reload sections</span>
    </button>
  </nav>
);

export const statusFault = (
  <footer className={styles.status} aria-label="Status">
    <span className={styles.item} role="alert">
      The status line stopped working.
    </span>
    <button type="button" className={cx(styles.item, styles.pressable)} onClick={() => location.reload()}>
      <Icon name="refresh" size={12} /> Reload
    </button>
  </footer>
);

export const dialogFault = <DialogFault />;

function DialogFault(): ReactElement {
  const close = (): void => uiStore.getState().show(null);
  return (
    <Dialog title="This dialog stopped working" onClose={close}>
      <p>{safetyStatement}</p>
      <DialogFoot>
        <Button onClick={close}>Close</Button>
        {reload}
      </DialogFoot>
    </Dialog>
  );
}

function StopButton({ size }: { size: 'small' | 'normal' }): ReactElement {
  return (
    <Button size={size} icon="emergency-stop" title={shortcutWords('emergencyStop')} onClick={emergencyStop}>
      {stopWords()}
    </Button>
  );
}

/** The page that replaces the window if there is no session or the core cannot start. Null otherwise. */
export function gateOf(connection: Connection): ReactElement | null {
  if (connection.kind === 'signed-out') return <SignedOut />;
  if (connection.kind === 'stopped') {
    return (
      <Suspense>
        <StoppedPage failure={connection.failure} />
      </Suspense>
    );
  }
  return null;
}

function SignedOut(): ReactElement {
  return (
    <main className={styles.gate}>
      <EmptyState icon="lock" title="Open the address that Countersign printed">
        This page has no session. Press “o” and Enter in the terminal for a new one-time address.
      </EmptyState>
    </main>
  );
}
