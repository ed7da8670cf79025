import { useFormats, Banner, Button, Dialog, TextArea, ValueList } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { type Member, readPastedList } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useState } from 'react';
import styles from './lists.module.css';
import { isCodesWithSpaces, type ListForm } from './list-values.ts';

export interface PasteDialogProps {
  field: string;
  /** The list as it is with its draft. */
  value: JsonValue;
  form: ListForm;
  onAdd: (members: Member[]) => void;
  onClose: () => void;
}

/** A pasted list, in any separator: what it adds, what is there already, and what is not understood. */
export function PasteDialog({ field, value, form, onAdd, onClose }: PasteDialogProps): ReactElement {
  const formats = useFormats();
  const [text, setText] = useState('');
  const spaces = form.spaces || (field === 'geo' && isCodesWithSpaces(text));
  const { added, alreadyThere, repeated, notUnderstood } = readPastedList(text, value, {
    read: form.read,
    spaces,
  });
  return (
    <Dialog title={`Paste into ${fieldLabel(field)}`} onClose={onClose}>
      <div className={styles.paste}>
        <TextArea
          label="Entries"
          value={text}
          autoFocus
          rows={8}
          limit={
            spaces
              ? 'Separated by lines, commas, semicolons, tabs, | or spaces'
              : 'Separated by lines, commas, semicolons, tabs or |'
          }
          onChange={setText}
        />
        <div role="status" className={styles.report}>
          {text.trim() !== '' && (
            <>
              <span>{formats.count(added.length)} to add</span>
              <span>{formats.count(alreadyThere.length)} already there</span>
              {repeated > 0 && <span>{formats.count(repeated)} repeated</span>}
              <span>{formats.count(notUnderstood.length)} not understood</span>
            </>
          )}
        </div>
        {notUnderstood.length > 0 && (
          <Banner
            tone="warning"
            title={formats.counted(notUnderstood.length, 'entry is', 'entries are') + ' left out.'}
          >
            {form.hint} <ValueList values={notUnderstood} />
          </Banner>
        )}
        {added.length > 0 && (
          <ValueList values={added.map((member) => form.labelOf(String(member)) ?? String(member))} />
        )}
        <div className={styles.actions}>
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
        </div>
      </div>
    </Dialog>
  );
}
