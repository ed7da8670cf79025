import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { type DataAction, dataStore } from '#renderer/stores/data-store.ts';
import { deletionWord } from '#shared/app-api/index.ts';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import {
  useFormats,
  Banner,
  Button,
  Card,
  DefinitionList,
  Dialog,
  DialogFoot,
  TextField,
  common,
  FailureBanner,
  FileButton,
} from '#renderer/ui/index.ts';
import styles from './settings.module.css';
import { supportStore } from './stores/support-store.ts';

export function DataCards(): ReactElement {
  return (
    <>
      <BackupCard />
      <RestoreCard />
      <DeleteCard />
      <SupportCard />
    </>
  );
}

function BackupCard(): ReactElement {
  const formats = useFormats();
  const { view, flow, backUp, cancel, dismiss } = useStore(dataStore);
  const isRunning = flow.kind === 'running';
  const isCancelling = flow.kind === 'cancelling';
  const last = view?.lastBackupAtMs ?? null;
  return (
    <Card
      title="Backup"
      level={2}
      actions={
        <>
          <Button icon="download" disabled={isRunning || isCancelling} onClick={() => void backUp()}>
            {isCancelling ? 'Cancelling…' : isRunning ? 'Backing up…' : 'Back up…'}
          </Button>
          {isRunning && (
            <Button kind="quiet" onClick={cancel}>
              Cancel
            </Button>
          )}
        </>
      }
    >
      <p className={styles.quiet}>
        One file with everything except sign-ins, tokens, keys, training and loaded reports.
      </p>
      <p className={styles.text}>
        {last === null ? 'No backup yet.' : `Last backup: ${formats.moment(last)}.`}
      </p>
      {flow.kind === 'saved' && (
        <Banner tone="good" title={`Saved as ${flow.name}.`} actions={<Ok onPress={dismiss} />}>
          Keep it on another disk. Anyone who can read it can read your campaigns and decisions.
        </Banner>
      )}
      {flow.kind === 'failed' && <FailureBanner failure={flow.failure} actions={<Ok onPress={dismiss} />} />}
    </Card>
  );
}

function RestoreCard(): ReactElement {
  const formats = useFormats();
  const { view, restore, doing, check } = useStore(dataStore);
  const { present: isDesktop, openDataFolder } = useStore(desktopStore);
  const last = view?.lastRestore ?? null;
  const replaced = view?.replaced ?? [];
  return (
    <Card
      title="Restore"
      level={2}
      actions={
        <>
          <FileButton
            icon="reset"
            label="Backup to restore"
            accept=".countersign"
            disabled={doing !== null}
            onFile={(file) => void check(file)}
          >
            {restore.kind === 'checking' ? 'Checking the backup…' : 'Restore…'}
          </FileButton>
          {isDesktop && replaced.length > 0 && (
            <Button kind="quiet" onClick={() => void openDataFolder()}>
              Open data folder
            </Button>
          )}
        </>
      }
    >
      <p className={styles.quiet}>Replaces everything in Countersign with a backup.</p>
      <RefusalBanner actions={['check', 'restore']} />
      {last?.failure && (
        <Banner tone="danger" title={`The last restore did not begin. ${last.failure.message}`}>
          {last.failure.next} Nothing was replaced.
        </Banner>
      )}
      {last?.failure === null && <p className={styles.text}>Last restore: {formats.moment(last.atMs)}.</p>}
      {replaced.length > 0 && (
        <p className={styles.text}>
          Replaced data, in the data folder: {replaced.join(', ')}. Delete it when you no longer need it.
        </p>
      )}
      {(restore.kind === 'checked' || restore.kind === 'restoring') && <RestoreDialog />}
    </Card>
  );
}

function RestoreDialog(): ReactElement | null {
  const formats = useFormats();
  const { restore, restoreChecked, dropRestore } = useStore(dataStore);
  if (restore.kind === 'restoring') {
    return (
      <Dialog title="Restoring the backup…" onClose={() => undefined}>
        <p>Countersign restarts, and this page reloads.</p>
      </Dialog>
    );
  }
  if (restore.kind !== 'checked') return null;
  const { name, found } = restore;
  const { ledger, current } = found;
  const behind = Math.max(0, current.rows - ledger.rows);
  return (
    <Dialog title="Restore this backup?" onClose={() => void dropRestore()}>
      <div className={common.stack3}>
        <DefinitionList
          items={[
            ['File', name],
            ['Made', `${formats.moment(found.madeAtMs)}, by Countersign ${found.version}`],
            ['Ledger', `${formats.counted(ledger.rows, 'row')}, verified`],
            ['Ledger now', formats.counted(current.rows, 'row')],
            ['Withdrawn', formats.counted(found.open, 'open proposal')],
            ['Access ends', formats.counted(found.agents, 'agent')],
            ['To sign in again', formats.counted(found.profiles, 'live profile')],
          ].map(([term = '', value]) => ({ key: term, term, value }))}
        />
        <p className={styles.text}>
          It replaces everything in Countersign
          {behind > 0 && (
            <span>{`, including at least the newest ${formats.counted(behind, 'ledger row')}`}</span>
          )}
          <span>. What is replaced stays in a folder of its own.</span>
        </p>
        <p className={styles.text}>
          Agents stay frozen until you let them work, and each requests access again. Check the backup’s
          guardrails and live addresses first.
        </p>
        <DialogFoot>
          <Button onClick={() => void dropRestore()}>Keep what I have</Button>
          <Button kind="danger" onClick={() => void restoreChecked()}>
            Restore this backup
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

function DeleteCard(): ReactElement {
  const doing = useStore(dataStore, (state) => state.doing);
  const [asking, setAsking] = useState(false);
  return (
    <Card
      title="Delete my data"
      level={2}
      actions={
        <Button disabled={doing !== null} onClick={() => setAsking(true)}>
          Delete my data…
        </Button>
      }
    >
      <p className={styles.quiet}>
        Signs out everywhere and deletes everything in Countersign on this computer, the ledger included. Live
        campaigns and saved backups stay.
      </p>
      <RefusalBanner actions={['delete']} />
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { doing, deleteAll } = useStore(dataStore);
  const [word, setWord] = useState('');
  const isConfirmed = word.trim().toLowerCase() === deletionWord;
  return (
    <Dialog title="Delete everything?" onClose={onClose}>
      <div className={common.stack3}>
        <p className={styles.text}>
          This cannot be undone. The ledger is the only proof of who decided what: back up first if you may
          need it.
        </p>
        <div className={styles.word}>
          <TextField label={`Type “${deletionWord}” to confirm`} value={word} onChange={setWord} autoFocus />
        </div>
        <DialogFoot>
          <Button onClick={onClose}>Keep my data</Button>
          <Button
            kind="danger"
            disabled={!isConfirmed || doing !== null}
            onClick={() => void deleteAll().then(onClose)}
          >
            {doing === 'delete' ? 'Deleting…' : 'Delete everything'}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

function RefusalBanner({ actions }: { actions: readonly DataAction[] }): ReactElement | null {
  const { refusal, dismiss } = useStore(dataStore);
  if (refusal === null || !actions.includes(refusal.of)) return null;
  return <FailureBanner failure={refusal.failure} actions={<Ok onPress={dismiss} />} />;
}

function Ok({ onPress }: { onPress: () => void }): ReactElement {
  return (
    <Button size="small" onClick={onPress}>
      OK
    </Button>
  );
}

function SupportCard(): ReactElement {
  const failure = useStore(supportStore, (state) => state.failure);
  return (
    <Card title="Support bundle" level={2} actions={<SupportButton />}>
      <p className={styles.quiet}>Versions, counts and recent logs, without secrets.</p>
      {failure && <FailureBanner failure={failure} />}
    </Card>
  );
}

/** Works without a core, too: the desktop has its own diagnostics. */
export function SupportButton(): ReactElement {
  const { text, collect } = useStore(supportStore);
  return (
    <>
      <Button icon="file" onClick={() => void collect()}>
        Support bundle…
      </Button>
      {text !== null && <Bundle text={text} />}
    </>
  );
}

function Bundle({ text }: { text: string }): ReactElement {
  const { flow, save, close } = useStore(supportStore);
  return (
    <Dialog title="Support bundle" onClose={close}>
      <div className={common.stack3}>
        <p className={styles.text}>Read it, then save it and send it yourself.</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable text must be focusable for the keyboard */}
        <pre className={styles.report} tabIndex={0} aria-label="Content of the support bundle">
          {text}
        </pre>
        {flow.kind === 'saved' && <Banner tone="good" title={`Saved as ${flow.name}`} />}
        {flow.kind === 'failed' && <FailureBanner failure={flow.failure} />}
        <DialogFoot>
          <Button onClick={close}>Close</Button>
          <Button kind="primary" icon="download" onClick={() => void save()}>
            Save…
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
