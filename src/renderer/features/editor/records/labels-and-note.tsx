import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { labelsOn, notesStore } from '#renderer/stores/campaign-notes/index.ts';
import { Button, Buttons, LabelChips, LabelPicker, Section, TextArea } from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import { maxCampaignNoteLength, maxLabelNameLength } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import styles from '../editor.module.css';

/** The labels and the note of a campaign, which are on this computer only. */
export function LabelsAndNote({ cid }: { cid: number }): ReactElement {
  const notes = useStore(notesStore);
  const { byCid, refusal, assign, saveLabel, removeLabel } = notes;
  const labels = labelsOn(notes, [cid]).map(({ label, on }) => ({ ...label, on }));
  const error = refusal === null || refusal.of === 'note' ? undefined : refusalText(refusal);
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

const refusalText = ({ failure }: { failure: AppError }): string => `${failure.message} ${failure.next}`;

function NoteField({ cid, stored }: { cid: number; stored: string }): ReactElement {
  const { doing, refusal, setNote, dismiss } = useStore(notesStore);
  // Null while it is as stored, so that a note that was changed elsewhere is shown.
  const [typed, setTyped] = useState<string | null>(null);
  const note = typed ?? stored;
  const isTooLong = note.trim().length > maxCampaignNoteLength;
  const isChanged = note.trim() !== stored;
  const refused = typed !== null && refusal?.of === 'note' ? refusalText(refusal) : undefined;

  function type(text: string | null): void {
    if (refusal?.of === 'note') dismiss();
    setTyped(text);
  }

  async function save(): Promise<void> {
    // A text that was typed meanwhile stays.
    if (await setNote(cid, note.trim())) setTyped((now) => (now === typed ? null : now));
  }

  return (
    <>
      <TextArea
        label="Note"
        rows={2}
        value={note}
        placeholder="For you alone; no service receives it."
        limit={isTooLong ? `Use at most ${maxCampaignNoteLength} characters.` : undefined}
        error={refused}
        onChange={type}
      />
      {isChanged && (
        <Buttons>
          <Button
            size="small"
            kind="primary"
            disabled={isTooLong || doing !== null}
            onClick={() => void save()}
          >
            Save note
          </Button>
          <Button size="small" kind="quiet" onClick={() => type(null)}>
            Discard
          </Button>
        </Buttons>
      )}
    </>
  );
}
