import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { markOf, marksStore } from '../stores/marks-store.ts';
import {
  Button,
  Dialog,
  DialogFoot,
  FailureBanner,
  ForeignText,
  type IconName,
  Menu,
  type PillTone,
  TextField,
  cx,
  common,
} from '#renderer/ui/index.ts';
import {
  type Mark,
  type MarkSign,
  markSigns,
  type MarkTarget,
  maxNoteLength,
  type ReportSource,
} from '#shared/app-api/index.ts';
import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { type DayRange, dimensionLabel, valueLabel } from '#shared/reports/index.ts';
import styles from '../panels.module.css';

/** Each sign has a label and an icon, so that it never depends on colour only. */
export const signLooks: Readonly<Record<MarkSign, { label: string; icon: IconName; tone: PillTone }>> = {
  good: { label: 'Good', icon: 'good', tone: 'good' },
  watch: { label: 'Watch', icon: 'watch', tone: 'waiting' },
  bad: { label: 'Bad', icon: 'bad', tone: 'bad' },
  note: { label: 'Note', icon: 'note', tone: 'neutral' },
};

/** `XML traffic 101`, `Search feed 7`, `Search, all feeds`. */
export function sourceLabel(source: ReportSource): string {
  if (source.kind === 'xml') return `XML traffic ${source.tid}`;
  return source.sid === null ? 'Search, all feeds' : `Search feed ${source.sid}`;
}

export interface MarkControlProps {
  target: MarkTarget;
  range: DayRange;
}

export function MarkControl({ target, range }: MarkControlProps): ReactElement {
  const { items, set, remove } = useStore(marksStore);
  const [noting, setNoting] = useState(false);
  const mark = markOf(items, target);
  const value = inertText(valueLabel(target.dimension, target.value));

  function act(id: string): void {
    const sign = markSigns.find((one) => one === id);
    if (id === 'remove') return void (mark && remove([mark.id]));
    if (sign === undefined || sign === 'note') return setNoting(true);
    void set({ target, sign, note: mark?.note ?? '', range });
  }

  return (
    <>
      <Menu
        size="small"
        kind="quiet"
        label={mark ? signLooks[mark.sign].label : 'Mark'}
        name={mark ? `${value} is marked ${signLooks[mark.sign].label}. Change mark` : `Mark ${value}`}
        icon={mark ? signLooks[mark.sign].icon : 'plus'}
        entries={[
          ...(['good', 'watch', 'bad'] as const).map((sign) => ({
            id: sign,
            label: signLooks[sign].label,
            icon: signLooks[sign].icon,
          })),
          { id: 'note', label: mark?.note ? 'Edit note…' : 'Add note…', icon: 'note' as const },
          ...(mark ? [{ id: 'remove', label: 'Remove mark', icon: 'remove' as const }] : []),
        ]}
        onAction={act}
      />
      {noting && <NoteDialog target={target} range={range} mark={mark} onClose={() => setNoting(false)} />}
    </>
  );
}

interface NoteDialogProps extends MarkControlProps {
  mark: Mark | undefined;
  onClose: () => void;
}

/** A new mark gets the sign `note`. */
export function NoteDialog({ target, range, mark, onClose }: NoteDialogProps): ReactElement {
  const { set, doing, refusal } = useStore(marksStore);
  const [note, setNote] = useState(mark?.note ?? '');
  const sign: MarkSign = mark?.sign ?? 'note';
  const failure = refusal?.of === 'set' ? refusal.failure : null;
  const length = codePointLength(note.trim());

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await set({ target, sign, note: note.trim(), range: mark?.figuresThen?.range ?? range })) onClose();
  }

  return (
    <Dialog title={mark ? 'Edit note' : 'Add note'} onClose={onClose}>
      <form className={cx(common.stack3, styles.form)} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.quiet}>
          <ForeignText text={dimensionLabel(target.dimension)} />{' '}
          <ForeignText text={valueLabel(target.dimension, target.value)} />
        </p>
        <TextField
          label="Note"
          value={note}
          limit={`${length} of ${maxNoteLength} characters`}
          error={
            length > maxNoteLength
              ? `Use at most ${maxNoteLength} characters.`
              : failure?.fields.find(({ field }) => field === 'note')?.message
          }
          autoFocus
          onChange={setNote}
        />
        {failure && failure.fields.length === 0 && <FailureBanner failure={failure} />}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={doing !== null || length > maxNoteLength}>
            Save note
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
