import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { labelsOn, notesStore } from '#renderer/stores/campaign-notes/index.ts';
import { LabelPicker } from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import { maxLabelNameLength } from '#shared/app-api/index.ts';
import { maxFound } from '#shared/find/index.ts';

/** Attaches labels to the selected campaigns and takes them off: on this computer only, nothing is proposed. */
export function LabelsButton({ cids }: { cids: ReadonlySet<number> }): ReactElement | null {
  const notes = useStore(notesStore);
  const { refusal, assign, saveLabel, removeLabel } = notes;
  if (cids.size > maxFound) return null;
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
