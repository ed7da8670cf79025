import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { Banner, Button, EmptyState } from '#renderer/ui/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from '../dialogs.module.css';
import { whatIsSafe } from './what-is-safe.ts';

/** The whole window when the core cannot start: what failed, what is safe, what to do. */
export function StoppedPage({ failure }: { failure: AppError }): ReactElement {
  const { copied, failure: refused, retry, openDataFolder, copyDiagnostics } = useStore(desktopStore);
  const actions = (
    <span className={styles.stoppedActions}>
      <Button kind="primary" icon="refresh" onClick={() => void retry()}>
        Try again
      </Button>
      <Button onClick={() => void openDataFolder()}>Open data folder</Button>
      <Button icon={copied ? 'check' : 'copy'} onClick={() => void copyDiagnostics()}>
        {copied ? 'Diagnostics copied' : 'Copy diagnostics'}
      </Button>
    </span>
  );
  return (
    <main className={styles.page}>
      <h1 className={styles.title}>Countersign stopped</h1>
      {refused && (
        <Banner flush tone="warning" title={refused.message}>
          {refused.next}
        </Banner>
      )}
      <div className={styles.message} role="alert">
        <EmptyState icon="alert-circle" title={failure.message} action={actions}>
          {failure.next} {whatIsSafe}
        </EmptyState>
      </div>
    </main>
  );
}
