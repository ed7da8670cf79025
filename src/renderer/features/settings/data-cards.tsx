import { type ReactElement, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { type DataAction, dataStore, deletionWord } from '#renderer/stores/data/index.ts';
import { desktopStore } from '#renderer/stores/desktop/index.ts';
import {
  useFormats,
  Banner,
  Button,
  Card,
  DefinitionList,
  Dialog,
  Buttons,
  TextField,
} from '#renderer/ui/index.ts';
import { SupportCard } from './support-bundle.tsx';
import styles from './settings.module.css';

/** Back up, restore, delete, and the support bundle. */
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
        One file with settings, profiles, drafts, proposals, agents, notes, the ledger and Demo, made while
        you go on working. It contains no sign-in, token or key; training and loaded reports are not part of
        it.
      </p>
      <p className={styles.text}>
        {last === null ? 'No backup was saved yet.' : `Last backup: ${formats.moment(last)}.`}
      </p>
      {flow.kind === 'saved' && (
        <Banner tone="good" title={`Saved as ${flow.name}.`} actions={<Ok onPress={dismiss} />}>
          Keep it on another disk. Anyone who can read it can read your campaigns and decisions.
        </Banner>
      )}
      {flow.kind === 'failed' && (
        <Banner tone="danger" title={flow.failure.message} actions={<Ok onPress={dismiss} />}>
          {flow.failure.next}
        </Banner>
      )}
    </Card>
  );
}

function RestoreCard(): ReactElement {
  const formats = useFormats();
  const { view, restore, doing, check } = useStore(dataStore);
  const input = useRef<HTMLInputElement>(null);
  const { present: isDesktop, openDataFolder } = useStore(desktopStore);
  const last = view?.lastRestore ?? null;
  const replaced = view?.replaced ?? [];
  return (
    <Card
      title="Restore"
      level={2}
      actions={
        <>
          <Button icon="reset" disabled={doing !== null} onClick={() => input.current?.click()}>
            {restore.kind === 'checking' ? 'Checking the backup…' : 'Restore…'}
          </Button>
          {isDesktop && replaced.length > 0 && (
            <Button kind="quiet" onClick={() => void openDataFolder()}>
              Open data folder
            </Button>
          )}
        </>
      }
    >
      <input
        ref={input}
        type="file"
        accept=".countersign"
        className={styles.file}
        aria-label="Backup to restore"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again.
          event.target.value = '';
          if (file !== undefined) void check(file);
        }}
      />
      <p className={styles.quiet}>
        A backup is checked as a whole before anything is replaced. Open proposals are withdrawn, nothing that
        was approved in it is sent, and agents and live profiles have to sign in again.
      </p>
      <Refused actions={['check', 'restore']} />
      {last?.failure && (
        <Banner tone="danger" title={`The last restore did not begin. ${last.failure.message}`}>
          {last.failure.next} Nothing was replaced.
        </Banner>
      )}
      {last?.failure === null && <p className={styles.text}>Last restore: {formats.moment(last.atMs)}.</p>}
      {replaced.length > 0 && (
        <p className={styles.text}>
          Kept in the data folder, with what restores replaced: {replaced.join(', ')}. Delete them once you do
          not need them any more.
        </p>
      )}
      {(restore.kind === 'checked' || restore.kind === 'restoring') && <RestoreDialog />}
    </Card>
  );
}

/** Shows what the backup would bring and end before the restore. */
function RestoreDialog(): ReactElement | null {
  const formats = useFormats();
  const { restore, restoreChecked, dropRestore } = useStore(dataStore);
  if (restore.kind === 'restoring') {
    return (
      <Dialog title="Restoring the backup…" onClose={() => undefined}>
        <p>Countersign ends what is under way and begins again. This page loads anew.</p>
      </Dialog>
    );
  }
  if (restore.kind !== 'checked') return null;
  const { name, found } = restore;
  const { ledger, current } = found;
  const behind = Math.max(0, current.rows - ledger.rows);
  return (
    <Dialog title="Restore this backup?" onClose={() => void dropRestore()}>
      <div className={styles.dialog}>
        <DefinitionList
          items={[
            { key: 'File', term: 'File', value: name },
            {
              key: 'Made',
              term: 'Made',
              value: `${formats.moment(found.madeAtMs)}, by Countersign ${found.version}`,
            },
            { key: 'Ledger', term: 'Ledger', value: `${formats.counted(ledger.rows, 'row')}, verified` },
            { key: 'Ledger now', term: 'Ledger now', value: formats.counted(current.rows, 'row') },
            { key: 'Withdrawn', term: 'Withdrawn', value: formats.counted(found.open, 'open proposal') },
            { key: 'Access ends', term: 'Access ends', value: formats.counted(found.agents, 'agent') },
            {
              key: 'To sign in again',
              term: 'To sign in again',
              value: formats.counted(found.profiles, 'live profile'),
            },
          ]}
        />
        <p className={styles.text}>
          It takes the place of everything that Countersign has now
          {behind > 0 && (
            <span>{`, so that at least the newest ${formats.counted(behind, 'ledger row')} are no longer in its ledger`}</span>
          )}
          <span>
            . What is replaced stays in a folder of its own, and the restored ledger names the one before.
          </span>
        </p>
        <p className={styles.text}>
          Agents are frozen until you let them work again, and each has to be allowed again. Guardrails and
          the addresses of live profiles are those of the backup: check them first.
        </p>
        <Buttons>
          <Button onClick={() => void dropRestore()}>Keep what I have</Button>
          <Button kind="danger" onClick={() => void restoreChecked()}>
            Restore this backup
          </Button>
        </Buttons>
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
        Signs out everywhere and deletes everything that Countersign keeps on this computer: profiles,
        proposals, the ledger, drafts, notes, training, settings, logs, and what restores replaced. Nothing
        changes at the services, and saved backups stay where they are.
      </p>
      <Refused actions={['delete']} />
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { doing, deleteAll } = useStore(dataStore);
  const [word, setWord] = useState('');
  const isMeant = word.trim().toLowerCase() === deletionWord;
  return (
    <Dialog title="Delete everything?" onClose={onClose}>
      <div className={styles.dialog}>
        <p className={styles.text}>
          This cannot be undone. The ledger is the only proof of who decided what: back up first if you may
          need it.
        </p>
        <div className={styles.word}>
          <TextField label={`Type “${deletionWord}” to confirm`} value={word} onChange={setWord} autoFocus />
        </div>
        <Buttons>
          <Button onClick={onClose}>Keep my data</Button>
          <Button
            kind="danger"
            disabled={!isMeant || doing !== null}
            onClick={() => void deleteAll().then(onClose)}
          >
            {doing === 'delete' ? 'Deleting…' : 'Delete everything'}
          </Button>
        </Buttons>
      </div>
    </Dialog>
  );
}

/** Says why the last of these was refused. */
function Refused({ actions }: { actions: readonly DataAction[] }): ReactElement | null {
  const { refusal, dismiss } = useStore(dataStore);
  if (refusal === null || !actions.includes(refusal.of)) return null;
  return (
    <Banner tone="danger" title={refusal.failure.message} actions={<Ok onPress={dismiss} />}>
      {refusal.failure.next}
    </Banner>
  );
}

function Ok({ onPress }: { onPress: () => void }): ReactElement {
  return (
    <Button size="small" onClick={onPress}>
      OK
    </Button>
  );
}
