import type { ReactElement } from 'react';
import type { Connection } from '#renderer/api/bridge.ts';
import { EmptyState } from '#renderer/ui/index.ts';
import { StoppedPage } from './desktop.tsx';
import styles from './frame/shell.module.css';

/** The whole window while its page can do nothing: it has no session, or its core cannot start. Null else. */
export function gateOf(connection: Connection): ReactElement | null {
  if (connection.kind === 'signed-out') return <SignedOut />;
  if (connection.kind === 'stopped') return <StoppedPage failure={connection.failure} />;
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
