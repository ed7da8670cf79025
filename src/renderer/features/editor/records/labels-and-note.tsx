import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { isTooLong, labelsOn, notesStore } from '#renderer/stores/campaign-notes/notes-store.ts';
import { Button, LabelChips, LabelPicker, Section, TextArea } from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import { maxCampaignNoteLength, maxLabelNameLength } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import styles from '../editor.module.css';

/** The labels and the note of a campaign, which are on this computer only. */
export function LabelsAndNote({ cid }: { cid: number }): ReactElement {
  const notes = useStore(notesStore);
  const { byCid, refusal, assign, saveLabel, removeLabel } = notes;
  const labels = labelsOn(notes, [cid]).map(({ label, on }) => ({ ...label, on }));
  const error = refusal === null ? undefined : refusalText(refusal.failure);
  return (
    <Section title="Labels & note" aside="only on this computer">
      <div className={styles.labels}>
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

/** The note, stored while it is typed. Text that could not be stored stays in the field, wherever a person goes meanwhile. */
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
  const focusNote = (button: Element): void => button.closest('section')?.querySelector('textarea')?.focus();
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
            onClick={({ currentTarget }) => {
              focusNote(currentTarget);
              void leaveNote(cid);
            }}
          >
            Save note
          </Button>
          <Button
            size="small"
            kind="quiet"
            onClick={({ currentTarget }) => {
              focusNote(currentTarget);
              discardNote(cid);
            }}
          >
            Discard
          </Button>
        </div>
      )}
    </>
  );
}
