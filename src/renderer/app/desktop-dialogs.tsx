import { type ReactElement, Suspense } from 'react';
import { useStore } from 'zustand';
import { desktopStore, vaultNotice, updatesStore } from '#renderer/stores/desktop-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Banner, Button, Dialog, DialogFoot, EmptyState, common } from '#renderer/ui/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { safetyStatement } from './desktop.tsx';
import dialogs from './dialogs.module.css';
import { lazily } from './lazily.ts';

const SupportButton = lazily(
  async () => (await import('#renderer/features/settings/index.ts')).SupportButton,
);

const UpdatesPart = lazily(async () => (await import('#renderer/features/settings/index.ts')).UpdatesPart);

const closeOverlay = (): void => uiStore.getState().show(null);

export function StoppedPage({ failure }: { failure: AppError }): ReactElement {
  const { copied, failure: refused, retry, openDataFolder, copyDiagnostics } = useStore(desktopStore);
  // Updating the app may solve the problem.
  const canUpdate = useStore(updatesStore, ({ view }) => view !== null && view.state.kind !== 'off');
  const actions = (
    <span className={dialogs.stoppedActions}>
      <Button kind="primary" icon="refresh" onClick={() => void retry()}>
        Try again
      </Button>
      <Button onClick={() => void openDataFolder()}>Open data folder</Button>
      <Button icon={copied ? 'check' : 'copy'} onClick={() => void copyDiagnostics()}>
        {copied ? 'Diagnostics copied' : 'Copy diagnostics'}
      </Button>
      <Suspense>
        <SupportButton />
      </Suspense>
      {canUpdate && <Button onClick={() => uiStore.getState().show('updates')}>Updates…</Button>}
    </span>
  );
  return (
    <main className={dialogs.page}>
      <h1 className={dialogs.title}>Countersign stopped</h1>
      {refused && (
        <Banner flush tone="warning" title={refused.message}>
          {refused.next}
        </Banner>
      )}
      <div className={dialogs.message} role="alert">
        <EmptyState icon="alert-circle" title={failure.message} action={actions}>
          {failure.next} {safetyStatement}
        </EmptyState>
      </div>
    </main>
  );
}

export function VaultDialog(): ReactElement | null {
  const state = useStore(desktopStore);
  const notice = vaultNotice(state);
  if (notice === null) return null;
  const dismiss = (): void => {
    state.dismissNotice();
    closeOverlay();
  };
  return (
    <Dialog title="Secrets last until you quit" onClose={closeOverlay}>
      <div className={common.stack3}>
        {state.failure && (
          <Banner tone="warning" title={state.failure.message}>
            {state.failure.next}
          </Banner>
        )}
        <p>{notice.why}</p>
        <p>
          Sign-ins are deleted when you quit, and each start signs the ledger with a new key. Everything else
          is kept.
        </p>
        <DialogFoot>
          <Button onClick={dismiss}>Do not remind me until the next start</Button>
          {notice.mayKeep && (
            <Button onClick={() => void state.keepSecrets()}>Keep secrets on this computer…</Button>
          )}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

export function UpdatesDialog(): ReactElement {
  return (
    <Dialog title="Updates" onClose={closeOverlay}>
      <Suspense>
        <UpdatesPart />
      </Suspense>
    </Dialog>
  );
}
