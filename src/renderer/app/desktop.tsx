import { type ReactElement, Suspense } from 'react';
import { useStore } from 'zustand';
import { type DesktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/bridge.ts';
import { desktopStore, vaultNotice, updatesStore } from '#renderer/stores/desktop-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import type { Overlay } from '#renderer/stores/ui/ui-store.ts';
import {
  Banner,
  Button,
  cx,
  Dialog,
  DialogFoot,
  EmptyState,
  Icon,
  type IconName,
  common,
} from '#renderer/ui/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { doMenuCommand } from './sections.ts';
import dialogs from './dialogs.module.css';
import shell from './frame/shell.module.css';
import { lazily } from './lazily.ts';

const SupportButton = lazily(
  async () => (await import('#renderer/features/settings/index.ts')).SupportButton,
);

const UpdatesPart = lazily(async () => (await import('#renderer/features/settings/index.ts')).UpdatesPart);

const closeOverlay = (): void => uiStore.getState().show(null);

const safetyStatement =
  'Nothing is sent without your approval; a change in flight is checked by reading it back.';

export function followDesktop(host: DesktopHost): void {
  const { start, setTheme } = desktopStore.getState();
  host.onMenuCommand((command) => doMenuCommand(command, uiStore.getState()));
  void setTheme(uiStore.getState().theme);
  uiStore.subscribe((now, before) => {
    if (now.theme !== before.theme) void setTheme(now.theme);
  });
  void start();
  if (isTraining()) return;
  updatesStore.getState().start();
  reportFirstRows(host);
}

function reportFirstRows(host: DesktopHost): void {
  const marks = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first row painted').length === 0) return;
    marks.disconnect();
    void host.ask('desktop.firstRows', {}).catch(() => undefined);
  });
  marks.observe({ type: 'mark', buffered: true });
}

export function LostBanner(): ReactElement | null {
  const present = useStore(desktopStore, (state) => state.present);
  const lost = useStore(sessionStore, (state) => state.connection.kind === 'lost');
  if (!present || !lost) return null;
  return (
    <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
      It is restarting. {safetyStatement} Changes are off until then.
    </Banner>
  );
}

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

export function VaultItem(): ReactElement | null {
  const worthSaying = useStore(desktopStore, (state) => vaultNotice(state) !== null);
  return worthSaying ? (
    <StatusButton icon="lock" overlay="vault">
      secrets last until you quit
    </StatusButton>
  ) : null;
}

function StatusButton(props: { icon: IconName; overlay: Overlay; children: string }): ReactElement {
  return (
    <button
      type="button"
      className={cx(shell.item, shell.pressable, shell.push)}
      aria-haspopup="dialog"
      onClick={() => uiStore.getState().show(props.overlay)}
    >
      <Icon name={props.icon} size={12} />
      {props.children}
    </button>
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

export function UpdateItem(): ReactElement | null {
  const state = useStore(updatesStore, ({ view }) => view?.state);
  if (state?.kind !== 'available' && state?.kind !== 'ready') return null;
  return (
    <StatusButton
      icon="download"
      overlay="updates"
    >{`update ${state.offer.version} ${state.kind}`}</StatusButton>
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
