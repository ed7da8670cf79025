import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { copiesStore } from './stores/copies-store.ts';
import type { OpenCampaign } from '#renderer/stores/editor/editor-store.ts';
import { undoStore, undoOf } from '#renderer/stores/undo-store.ts';
import {
  Section,
  Tabs,
  useFormats,
  Banner,
  Button,
  ForeignText,
  LabelChips,
  LabelPicker,
  TextArea,
  Disclosure,
  StatePill,
  UndoPart,
  cx,
  common,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { Editing } from './editing.ts';
import {
  type CampaignCopyView,
  maxCampaignNoteLength,
  maxLabelNameLength,
  type CampaignChange,
} from '#shared/app-api/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import styles from './editor.module.css';
import { isTooLong, labelsOn, notesStore } from '#renderer/stores/notes-store.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { proposerNames } from '#shared/wording/index.ts';

interface RecordsProps {
  editing: Editing;
  open: OpenCampaign;
}

export function CampaignRecords(props: RecordsProps): ReactElement {
  return (
    <>
      <LabelsAndNote cid={props.editing.cid} />
      <History {...props} />
    </>
  );
}

function History({ editing, open }: RecordsProps): ReactElement | null {
  const { cid, proposalId } = editing;
  const { detail } = open;
  const changes = useStore(undoStore, (state) => state.changes[cid]) ?? [];
  const hasCopies = useStore(copiesStore, (state) => state.cid === cid && state.copies.length > 0);
  useEffect(() => undoStore.getState().watchCampaign(cid), [cid]);
  // Each new read of the campaign may change which fields differ.
  useEffect(() => void copiesStore.getState().read(cid), [cid, detail]);
  const tabs = [
    ...(changes.length > 0
      ? [{ id: 'changes', title: 'Last changes', content: <LastChanges changes={changes} /> }]
      : []),
    ...(hasCopies
      ? [{ id: 'states', title: 'Earlier states', content: <EarlierStates isHeld={proposalId !== null} /> }]
      : []),
  ];
  if (tabs.length === 0) return null;
  return (
    <Section title="History" aside="changes through Countersign">
      <Tabs label="History" tabs={tabs} />
    </Section>
  );
}

function EarlierStates({ isHeld }: { isHeld: boolean }): ReactElement {
  const formats = useFormats();
  const { copies, refusal, restored } = useStore(copiesStore);
  return (
    <>
      {refusal && <FailureBanner tone="warning" failure={refusal.failure} />}
      {restored && (
        <Banner tone="info" title={`${formats.counted(restored.drafted, 'field')} restored as a draft`}>
          {restored.skipped.length > 0 && (
            <>
              <span>No longer in the campaign: </span>
              <ForeignText text={restored.skipped.join(', ')} />
            </>
          )}
        </Banner>
      )}
      <ul className={common.stack}>
        {copies.map((copy) => (
          <EarlierState key={copy.day} copy={copy} isHeld={isHeld} />
        ))}
      </ul>
    </>
  );
}

const maxNamed = 6;

function EarlierState({ copy, isHeld }: { copy: CampaignCopyView; isHeld: boolean }): ReactElement {
  const formats = useFormats();
  const { doing, restore } = useStore(copiesStore);
  const { day, atMs, differs } = copy;
  const name = dateText(day, new Date().getFullYear());
  const others = differs.length - maxNamed;
  const action = doing === day ? 'Restoring…' : 'Restore as draft';
  return (
    <li className={cx(common.stack1, styles.change)}>
      <span className={common.breaks}>{name}</span>
      <span className={cx(common.quiet, styles.changeFacts)}>
        <time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
          copied {formats.clock(atMs)}
        </time>
        {differs.length === 0 ? (
          <span>same as now</span>
        ) : (
          <span>
            {formats.counted(differs.length, 'field differs', 'fields differ')}:{' '}
            <ForeignText text={differs.slice(0, maxNamed).join(', ')} />
            {others > 0 && <span>{` and ${others} more`}</span>}
          </span>
        )}
      </span>
      {differs.length > 0 && (
        <Button
          size="small"
          disabled={isHeld || doing !== null}
          aria-label={`${action}: ${name}`}
          onClick={() => void restore(day)}
        >
          {action}
        </Button>
      )}
    </li>
  );
}

function LabelsAndNote({ cid }: { cid: number }): ReactElement {
  const notes = useStore(notesStore);
  const { byCid, refusal, assign, saveLabel, removeLabel } = notes;
  const labels = labelsOn(notes, [cid]).map(({ label, on }) => ({ ...label, on }));
  const error = refusal === null ? undefined : refusalText(refusal.failure);
  return (
    <Section title="Labels & note" aside="only on this computer">
      <div className={cx(common.row1, styles.labels)}>
        <LabelChips labels={labels.filter(({ on }) => on === 'all')} max={12} />
        <PanelButton kind="quiet" icon="plus" label="Labels" name="Labels of this campaign">
          {() => (
            <LabelPicker
              labels={labels}
              maxNameLength={maxLabelNameLength}
              error={error}
              onToggle={(id, isOn) => void assign([cid], isOn ? { add: [id] } : { remove: [id] })}
              onSave={async (label) => {
                const saved = await saveLabel(label);
                if (saved !== null && label.id === null) await assign([cid], { add: [saved.id] });
                return saved !== null;
              }}
              onRemove={(id) => void removeLabel(id)}
            />
          )}
        </PanelButton>
      </div>
      <NoteField key={cid} cid={cid} stored={byCid.get(cid)?.note ?? ''} />
    </Section>
  );
}

const refusalText = (failure: AppError): string => `${failure.message} ${failure.next}`;

/** Saves the note during typing. Text that could not be saved stays in the field, even if the person leaves the page. */
function NoteField({ cid, stored }: { cid: number; stored: string }): ReactElement {
  const typed = useStore(notesStore, (state) => state.typed.get(cid));
  const { typeNote, leaveNote, discardNote } = notesStore.getState();
  useEffect(() => () => void leaveNote(cid), [cid, leaveNote]);
  const tooLong = typed !== undefined && isTooLong(typed.text);
  const error = tooLong
    ? `Use at most ${maxCampaignNoteLength} characters. This note is not saved.`
    : typed?.failure
      ? refusalText(typed.failure)
      : undefined;
  const state = typed === undefined ? 'Saved as you type' : typed.isStored ? 'Saved' : 'Saving…';
  const endEditing = (button: Element, end: (cid: number) => void): void => {
    button.closest('section')?.querySelector('textarea')?.focus();
    end(cid);
  };
  return (
    <>
      <TextArea
        label="Note"
        rows={2}
        value={typed?.text ?? stored}
        limit={error === undefined ? state : undefined}
        error={error}
        onChange={(text) => typeNote(cid, text)}
        onBlur={() => void leaveNote(cid)}
      />
      {error !== undefined && (
        <div className={styles.noteActions}>
          <Button
            size="small"
            kind="primary"
            disabled={tooLong}
            onClick={({ currentTarget }) => endEditing(currentTarget, (id) => void leaveNote(id))}
          >
            Save note
          </Button>
          <Button
            size="small"
            kind="quiet"
            onClick={({ currentTarget }) => endEditing(currentTarget, discardNote)}
          >
            Discard
          </Button>
        </div>
      )}
    </>
  );
}

function LastChanges({ changes }: { changes: readonly CampaignChange[] }): ReactElement {
  return (
    <>
      <ChangeList changes={changes.slice(0, alwaysShown)} />
      {changes.length > alwaysShown && (
        <Disclosure title="Earlier changes" aside={changes.length - alwaysShown}>
          <ChangeList changes={changes.slice(alwaysShown)} />
        </Disclosure>
      )}
    </>
  );
}

const alwaysShown = 2;

function ChangeList({ changes }: { changes: readonly CampaignChange[] }): ReactElement {
  return (
    <ul className={common.stack}>
      {changes.map((change) => (
        <Change key={change.id} change={change} />
      ))}
    </ul>
  );
}

function Change({ change }: { change: CampaignChange }): ReactElement {
  const formats = useFormats();
  const { id, title, state, by, atMs, undo } = change;
  const undoing = useStore(undoStore);
  return (
    <li className={cx(common.stack1, styles.change)}>
      <a className={common.breaks} href={routeHref({ page: 'proposals', id })}>
        <ForeignText text={title} />
      </a>
      <span className={cx(common.quiet, styles.changeFacts)}>
        <StatePill state={state} />
        <ForeignText text={proposerNames([by])} />
        <time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
          {formats.shortMoment(atMs, Date.now())}
        </time>
      </span>
      {undo !== null && (
        <UndoPart
          undo={undo}
          {...undoOf(undoing, id)}
          hrefOf={(other) => routeHref({ page: 'proposals', id: other })}
          size="small"
        />
      )}
    </li>
  );
}
