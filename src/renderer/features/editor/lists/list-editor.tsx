import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import {
  useFormats,
  Button,
  changeAndFocus,
  ForeignText,
  MemberChips,
  SearchField,
  common,
  cx,
  FieldError,
  pages,
} from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { draftOfMembers, type Member, membersOf } from '#shared/drafts/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { type ClipboardEvent, type ReactElement, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { changeFields, draftedField, type Editing } from '../editing.ts';
import { FieldBlock, frameOf, WasNote } from '../fields/field-block.tsx';
import { CompareDialog, PasteDialog } from './paste-dialog.tsx';
import {
  hasMember,
  hasSeveralCells,
  listForm,
  parseMember,
  withAdded,
  withoutDuplicates,
} from './list-values.ts';
import styles from '../fields/edit-fields.module.css';

const searchFrom = 12;

function putMembers(editing: Editing, field: string, members: readonly Member[], title?: string): void {
  const draft = draftOfMembers(draftedField(editing, field), members);
  changeFields(editing, title ?? fieldLabel(field), [[field, draft]]);
}

/** The entries of a list, the functions that change them, and the dialog for pasting entries. */
export function useMembers(editing: Editing, field: string) {
  const seen = useStore(besideStore, (state) => state.values);
  const [pasted, setPasted] = useState<string | null>(null);
  const stored = editing.campaign[field] ?? [];
  const storedMembers = membersOf(stored) ?? [];
  const before = new Set(storedMembers.map(String));
  const value = editing.payload[field] ?? [];
  const members = membersOf(value) ?? [];
  const form = listForm(field, stored, seen);
  const put = (left: readonly Member[], title?: string): void => putMembers(editing, field, left, title);
  const add = (added: readonly Member[]): void => put(withAdded(field, members, added, storedMembers));
  return {
    seen,
    stored,
    members,
    form,
    put,
    add,
    remove: (gone: ReadonlySet<string>): void => put(members.filter((member) => !gone.has(String(member)))),
    chipOf: (member: Member) => ({
      value: String(member),
      label: form.labelOf(String(member)),
      isNew: !before.has(String(member)),
    }),
    paste: setPasted,
    pasteDialog: pasted !== null && (
      <PasteDialog value={value} form={form} pasted={pasted} onAdd={add} onClose={() => setPasted(null)} />
    ),
  };
}

/** Opens the dialog if several lines are pasted, because the field has one line. */
export function pasteLines(event: ClipboardEvent, open: (text: string) => void): void {
  const text = event.clipboardData.getData('text');
  if (!hasSeveralCells(text)) return;
  event.preventDefault();
  open(text);
}

export function ListEditor({ editing, field }: { editing: Editing; field: string }): ReactElement {
  const formats = useFormats();
  const { members, form, put, add, remove, chipOf, paste, pasteDialog } = useMembers(editing, field);
  const [query, setQuery] = useState('');
  const [typed, setTyped] = useState('');
  const addField = useRef<HTMLInputElement>(null);
  const [isComparing, setComparing] = useState(false);
  const label = fieldLabel(field);
  const isHeld = editing.proposalId !== null;
  const frame = frameOf(editing, field);
  const distinct = withoutDuplicates(field, members);
  const shown = members.filter((member) => foldedText(String(member)).includes(foldedText(query.trim())));
  const entry = parseMember(form, typed);
  const isThere = entry !== null && hasMember(field, members, entry);
  const putAll = (left: readonly Member[], title?: string): void =>
    changeAndFocus(
      () => put(left, title),
      () => addField.current,
    );
  return (
    <FieldBlock editing={editing} fields={[field]}>
      <section
        className={cx(common.stack2, pages.framed, styles.list)}
        aria-label={label}
        data-changed={frame.changed || undefined}
      >
        <header className={styles.head}>
          <h3 className={cx(common.subheading, common.breaks)}>
            <ForeignText text={label} />
          </h3>
          <span className={styles.count}>{formats.counted(members.length, 'entry', 'entries')}</span>
          {frame.changed && (
            <span className={styles.was}>
              <WasNote editing={editing} field={field} />
            </span>
          )}
        </header>
        <div className={cx(common.row2, pages.wrap)}>
          <form
            className={styles.add}
            onSubmit={(event) => {
              event.preventDefault();
              if (entry === null || isThere) return;
              add([entry]);
              setTyped('');
            }}
          >
            <input
              ref={addField}
              className={styles.input}
              aria-label={`Add to ${label}`}
              placeholder="Add an entry"
              value={typed}
              disabled={isHeld}
              spellCheck={false}
              aria-invalid={typed.trim() !== '' && entry === null}
              onChange={(event) => setTyped(event.target.value)}
              onPaste={(event) => pasteLines(event, paste)}
            />
            <Button type="submit" size="small" icon="plus" disabled={isHeld || entry === null || isThere}>
              Add
            </Button>
          </form>
          <Button size="small" disabled={isHeld} aria-label={`Paste into ${label}`} onClick={() => paste('')}>
            Paste…
          </Button>
          <Button size="small" aria-label={`Compare ${label}`} onClick={() => setComparing(true)}>
            Compare…
          </Button>
          {distinct.length < members.length && (
            <Button size="small" disabled={isHeld} onClick={() => putAll(distinct, `Duplicates in ${label}`)}>
              Remove {formats.counted(members.length - distinct.length, 'duplicate')}
            </Button>
          )}
          {members.length > 0 && (
            <Button
              size="small"
              kind="quiet"
              disabled={isHeld}
              aria-label={`Remove all of ${label}`}
              onClick={() => putAll([])}
            >
              Remove all
            </Button>
          )}
        </div>
        {members.length >= searchFrom && (
          <SearchField label={`Search in ${label}`} placeholder="Search" value={query} onChange={setQuery} />
        )}
        {typed.trim() !== '' && entry === null && <p className={common.quiet}>{form.hint}</p>}
        {isThere && <p className={common.quiet}>This entry is in the list.</p>}
        {shown.length > 0 && (
          <MemberChips
            label={`Entries of ${label}`}
            members={shown.map(chipOf)}
            disabled={isHeld}
            onRemove={(gone) => remove(new Set([gone]))}
            adds={() => addField.current}
          />
        )}
        {members.length > 0 && shown.length === 0 && <p className={common.quiet}>No results</p>}
        <FieldError text={frame.error} />
      </section>
      {pasteDialog}
      {isComparing && (
        <CompareDialog
          cid={editing.cid}
          field={field}
          members={members}
          disabled={isHeld}
          onAdd={add}
          onRemove={(gone) => remove(new Set(gone.map(String)))}
          onClose={() => setComparing(false)}
        />
      )}
    </FieldBlock>
  );
}
