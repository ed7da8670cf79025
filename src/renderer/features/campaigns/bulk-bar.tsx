import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import {
  countRunning,
  partToPause,
  shownPart,
  type ActivationPart,
  chosenCids,
  isOpenPart,
} from '#renderer/stores/campaigns/selection.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { labelsOn, notesStore } from '#renderer/stores/notes-store.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  changeAndFocus,
  IconButton,
  type IconName,
  LabelPicker,
  LinkButton,
  Menu,
  Checkbox,
  Dialog,
  DialogFoot,
  useNow,
} from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import { maxLabelNameLength } from '#shared/app-api/index.ts';
import { type StatusCode, isStatusCode, statusNames } from '#shared/contract/index.ts';
import { maxFound } from '#shared/find/index.ts';
import { type ReactElement, useRef } from 'react';
import { useStore } from 'zustand';
import styles from './campaigns.module.css';
import { askPauseUntil } from './pause-until.tsx';
import type { Formats } from '#shared/lib/formats.ts';
import { groupInWords } from '#shared/wording/index.ts';
import { suspended } from '#shared/campaign/index.ts';

export const moves: { status: StatusCode; label: string; icon: IconName }[] = [
  { status: 3, label: 'Pause', icon: 'pause' },
  { status: 1, label: 'Activate', icon: 'play' },
  { status: 4, label: 'Set to Scheduled', icon: 'clock' },
  { status: 2, label: 'Remove', icon: 'minus' },
];

const paused: StatusCode = 3;

interface OfferedMove {
  id: string;
  label: string;
  icon: IconName;
  disabled: boolean;
  run: () => void;
}

const pauseUntil = { id: 'until', label: 'Pause until…', icon: 'schedules', run: askPauseUntil } as const;

/** Proposes a status for the selected campaigns in view and opens the confirmation. For a mixed activation, asks first. */
export async function proposeForSelection(status: StatusCode): Promise<void> {
  const { selection, found, selecting, statuses, proposeStatus } = campaignsStore.getState();
  if (selecting) return;
  const { route, fromHere } = uiStore.getState();
  const goOn = fromHere();
  const isPart = status === paused && partToPause(shownPart(selection, found), statuses) !== null;
  const id = await proposeStatus(status, isPart ? 'running' : 'all');
  if (id !== null) {
    focusList();
    return reviewStore.getState().review(id);
  }
  if (campaignsStore.getState().choice !== null && route.page !== 'campaigns') {
    goOn({ page: 'campaigns', cid: null });
  }
}

/** Moves the focus to the list, because the selection bar, which had the focus, disappears with the selection. */
function focusList(): void {
  const { route, requestFocus } = uiStore.getState();
  if (route.page === 'campaigns') requestFocus('list');
}

export async function changeSelection(): Promise<void> {
  const { selection, found, selecting } = campaignsStore.getState();
  if (selecting) return;
  const { fromHere, requestFocus } = uiStore.getState();
  const goOn = fromHere();
  const { bulkStore } = await import('#renderer/stores/bulk/bulk-store.ts');
  if (!(await bulkStore.getState().begin([...shownPart(selection, found).cids]))) return;
  goOn({ page: 'bulk' });
  if (uiStore.getState().route.page === 'bulk') requestFocus('bulk');
}

function refusedTitle(count: number, formats: Formats): string {
  return `${formats.counted(count, 'selected campaign')} cannot be changed like this.`;
}

export function BulkBar(): ReactElement | null {
  const formats = useFormats();
  const { selection, found, statuses, list, loading, proposing, selecting, ...actions } =
    useStore(campaignsStore);
  const { selectFound, deselectHidden, clearSelection, dismissProposing } = actions;
  const bar = useRef<HTMLDivElement>(null);
  const shown = shownPart(selection, found);
  const count = shown.cids.size;
  const hidden = selection.cids.size - count;
  const toPause = partToPause(shown, statuses);
  const connected = useStore(sessionStore, (state) => state.connection.kind === 'connected');
  const off = useStore(sessionStore, (state) => state.status?.writing.off ?? null);
  const refusals = proposing?.failure?.fields ?? [];
  const isPreparing = proposing !== null && proposing.failure === null;
  // During a search, or while all results are being selected, an action would affect only some of the campaigns.
  const isOff = !connected || off !== null || loading || selecting || count === 0;
  const busy = isOff || isPreparing;
  if (selection.cids.size === 0) return null;

  function clear(): void {
    clearSelection();
    focusList();
  }

  function deselect(): void {
    changeAndFocus(deselectHidden, () => bar.current?.querySelector('button'));
    if (count === 0) focusList();
  }

  const isStopped = countRunning(shown, statuses) === 0;
  const offered = moves.flatMap(({ status, label, icon }): OfferedMove[] => {
    const move = { id: String(status), icon, disabled: busy, run: () => void proposeForSelection(status) };
    if (status !== paused) return [{ ...move, label: `${label}…` }];
    const pause = toPause === null ? label : `Pause ${formats.count(toPause)} running`;
    return [
      { ...move, label: `${pause}…` },
      { ...pauseUntil, disabled: busy || isStopped },
    ];
  });
  return (
    <div className={cx(common.stack2, styles.bulkPlace)}>
      {proposing?.failure && (
        <div className={styles.failure}>
          <Banner
            tone="danger"
            title={refusals.length > 0 ? refusedTitle(refusals.length, formats) : proposing.failure.message}
            actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismissProposing} />}
          >
            {refusals.map(({ message }) => message).join(' ')}{' '}
            {refusals.length > 0 ? 'Remove them from the selection.' : proposing.failure.next} Nothing was
            changed.
          </Banner>
        </div>
      )}
      <div ref={bar} className={cx(common.row1, styles.bar)} role="toolbar" aria-label="Selected campaigns">
        <span className={styles.bulkCount} role="status">
          {formats.count(count)} selected
          {off && <span className={styles.partial}>; changes are off until the service is back</span>}
          {hidden > 0 && <span className={styles.partial}>, {formats.count(hidden)} not shown</span>}
          {isPreparing && <span className={styles.partial}>, preparing…</span>}
        </span>
        {hidden > 0 && (
          <LinkButton label={`Deselect the ${formats.count(hidden)} not shown`} onClick={deselect}>
            Deselect
          </LinkButton>
        )}
        {list && count < list.total && (
          <Button kind="quiet" disabled={selecting} onClick={() => void selectFound()}>
            {selecting
              ? `Selecting ${formats.count(Math.min(list.total, maxFound))}…`
              : `Select all ${formats.count(Math.min(list.total, maxFound))} found`}
          </Button>
        )}
        {hidden === 0 && <span className={styles.rule} aria-hidden />}
        <span className={cx(common.row1, styles.actions)}>
          <Button icon="edit" disabled={isOff || count > maxFound} onClick={() => void changeSelection()}>
            Change…
          </Button>
          <span className={styles.moves}>
            {offered.map(({ id, label, icon, disabled, run }) => (
              <Button key={id} kind="quiet" icon={icon} disabled={disabled} onClick={run}>
                {label}
              </Button>
            ))}
          </span>
          {/* Replaces the buttons if a panel is open. The style sheet shows either the menu or the buttons. */}
          <span className={styles.moveMenu}>
            <Menu
              label="Status"
              name="Status of the selected campaigns"
              kind="quiet"
              entries={offered}
              onAction={(id) => offered.find((move) => move.id === id)?.run()}
            />
          </span>
          <LabelsButton cids={shown.cids} />
          <span className={styles.rule} aria-hidden />
          <IconButton icon="close" label="Clear selection" onClick={clear} />
        </span>
      </div>
    </div>
  );
}

function LabelsButton({ cids }: { cids: ReadonlySet<number> }): ReactElement | null {
  const notes = useStore(notesStore);
  const { refusal, assign, saveLabel, removeLabel } = notes;
  if (cids.size === 0 || cids.size > maxFound) return null;
  const selected = [...cids];
  const labels = labelsOn(notes, selected).map(({ label, on }) => ({ ...label, on }));
  return (
    <PanelButton kind="quiet" icon="label" label="Labels" name="Labels of the selected campaigns">
      {() => (
        <LabelPicker
          labels={labels}
          maxNameLength={maxLabelNameLength}
          error={refusal === null ? undefined : `${refusal.failure.message} ${refusal.failure.next}`}
          onToggle={(id, isOn) => void assign(selected, isOn ? { add: [id] } : { remove: [id] })}
          onSave={async (label) => {
            const saved = await saveLabel(label);
            if (saved !== null && label.id === null) await assign(selected, { add: [saved.id] });
            return saved !== null;
          }}
          onRemove={(id) => void removeLabel(id)}
        />
      )}
    </PanelButton>
  );
}

export function ActivationDialog(): ReactElement | null {
  const formats = useFormats();
  const choice = useStore(campaignsStore, (state) => state.choice);
  const { choosePart, endChoice, proposeChosen } = campaignsStore.getState();
  const nowMs = useNow(60_000);
  if (choice === null) return null;
  const { parts, status } = choice;
  const verb = moves.find((move) => move.status === status)?.label ?? '';
  const total = parts.reduce((sum, { group }) => sum + group.cids.length, 0);
  const count = chosenCids(choice).length;
  const hasOwn = parts.some(({ kind }) => kind === 'own');

  async function propose(): Promise<void> {
    const id = await proposeChosen();
    if (id === null) return;
    focusList();
    await reviewStore.getState().review(id);
  }

  return (
    <Dialog title={`${verb} ${formats.counted(total, 'selected campaign')}`} onClose={endChoice}>
      <div className={cx(common.stack4, styles.choice)}>
        <p>
          {hasOwn
            ? 'Those that this app paused are selected. Add others if you want them too.'
            : 'None of them was paused through this app. Choose the ones you want.'}
        </p>
        <div className={common.stack3} role="group" aria-label="Campaigns by status">
          {parts.map((part, index) => (
            <Checkbox
              key={`${part.group.status} ${groupInWords(part.group, formats)}`}
              label={groupInWords(part.group, formats)}
              hint={hintOf(part, nowMs, formats)}
              checked={part.isChosen}
              disabled={!isOpenPart(part)}
              onChange={(isChosen) => choosePart(index, isChosen)}
            />
          ))}
        </div>
        <DialogFoot>
          <Button data-autofocus={!hasOwn || undefined} onClick={endChoice}>
            Cancel
          </Button>
          <Button
            kind="primary"
            disabled={count === 0}
            data-autofocus={hasOwn || undefined}
            onClick={() => void propose()}
          >
            {count === 0 ? verb : `${verb} ${formats.count(count)}`}…
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

function hintOf({ group, kind }: ActivationPart, nowMs: number, formats: Formats): string | undefined {
  const { status, origin, cids } = group;
  const isOne = cids.length === 1;
  if (kind === 'refused') return `The service approves ${isOne ? 'it, not its' : 'them, not their'} owner.`;
  if (kind === 'already') return `Already ${isStatusCode(status) ? statusNames[status] : status}. Not sent.`;
  const hints: string[] = [];
  if (origin?.kind === 'app')
    hints.push(`${isOne ? '' : 'The last one '}${formats.when(origin.lastAtMs, nowMs)}.`);
  if (status === suspended) {
    hints.push(`Suspended means removed. Activating brings ${isOne ? 'it' : 'them'} back.`);
  }
  const text = hints.join(' ');
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
