import {
  Button,
  Dialog,
  DialogFoot,
  PasteReport,
  TextArea,
  useFormats,
  ValueList,
} from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import {
  leftOutInWords,
  type Member,
  type PasteAnswers,
  questionInWords,
  readPastedList,
  withAnswer,
} from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useState } from 'react';
import styles from './lists.module.css';
import { isCodesWithSpaces, type ListForm } from './list-values.ts';

export interface PasteDialogProps {
  /** The list as it is with its draft. */
  value: JsonValue;
  form: ListForm;
  /** Initial content of the dialog. */
  pasted: string;
  onAdd: (members: Member[]) => void;
  onClose: () => void;
}

/** A pasted list, in any separator: what it adds, what is there already, what is left out, and what has to be answered first. */
export function PasteDialog({
  value,
  form,
  pasted: initial,
  onAdd,
  onClose,
}: PasteDialogProps): ReactElement {
  const formats = useFormats();
  const [text, setText] = useState(initial);
  const [answers, setAnswers] = useState<PasteAnswers>({});
  const spaces = form.spaces || (form.list === 'geo' && isCodesWithSpaces(text));
  const pasted = readPastedList(text, value, { ...form, spaces }, answers);
  const { added, alreadyThere, repeated, leftOut, cleaned, questions } = pasted;
  return (
    <Dialog title={`Paste into ${fieldLabel(form.list)}`} onClose={onClose}>
      <div className={styles.paste}>
        <TextArea
          label="Entries"
          value={text}
          autoFocus
          rows={8}
          limit={
            spaces ? 'Any separator: lines, commas, spaces, tabs…' : 'Any separator: lines, commas, tabs…'
          }
          onChange={(next) => {
            setText(next);
            setAnswers({});
          }}
        />
        <div role="status" className={styles.report}>
          {text.trim() !== '' && (
            <>
              <span>{formats.count(added.length)} to add</span>
              <span>{formats.count(alreadyThere.length)} already there</span>
              {repeated > 0 && <span>{formats.count(repeated)} repeated</span>}
              <span>{formats.count(leftOut.length)} skipped</span>
              {cleaned > 0 && <span>Invisible characters removed from {formats.count(cleaned)}</span>}
            </>
          )}
        </div>
        <PasteReport
          questions={questions.map((question) => questionInWords(question, answers, formats))}
          onAnswer={(index, id) => {
            const question = questions[index];
            if (question !== undefined) setAnswers(withAnswer(answers, question, id));
          }}
          leftOut={leftOutInWords(leftOut, form.hint)}
          doubtful={leftOut.filter(({ isDoubtful }) => isDoubtful).length}
          takesDoubtful={answers.doubtful === true}
          onTakeDoubtful={(doubtful) => setAnswers({ ...answers, doubtful })}
        />
        {added.length > 0 && (
          <ValueList values={added.map((member) => form.labelOf(String(member)) ?? String(member))} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={added.length === 0}
            onClick={() => {
              onAdd(added);
              onClose();
            }}
          >
            {added.length === 0 ? 'Add' : `Add ${formats.counted(added.length, 'entry', 'entries')}`}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
