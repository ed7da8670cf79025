import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import {
  cx,
  useFormats,
  Banner,
  Button,
  changeAndFocus,
  ForeignText,
  MemberChips,
  MemberPicker,
  SearchField,
  type PickerOption,
  common,
  pages,
} from '#renderer/ui/index.ts';
import { countryGroups, fieldLabel } from '#shared/campaign/index.ts';
import { type Member, membersOf } from '#shared/drafts/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { type ReactElement, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Editing } from '../editing.ts';
import { addMembers, pasteLines, putMembers } from '../lists/list-editor.tsx';
import {
  fewNames,
  hasMember,
  listForm,
  optionsOf,
  typedMember,
  unseenMembers,
} from '../lists/list-values.ts';
import { PasteDialog } from '../lists/paste-dialog.tsx';
import lists from '../fields/edit-fields.module.css';

const searchFrom = 8;

export function TargetingMembers(props: { editing: Editing; list: string; isHeld: boolean }): ReactElement {
  const formats = useFormats();
  const { editing, list, isHeld } = props;
  const seen = useStore(besideStore, (state) => state.values);
  const [query, setQuery] = useState('');
  const [pasted, setPasted] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const paste = useRef<HTMLButtonElement>(null);
  const stored = editing.campaign[list] ?? [];
  const members = membersOf(editing.payload[list]) ?? [];
  const before = new Set((membersOf(stored) ?? []).map(String));
  const label = fieldLabel(list);
  const form = listForm(list, stored, seen);
  const options = optionsOf(list, members, seen, formats);
  const found = options.filter((option) => matches(option, query));
  const chosen = new Set(members.map(String));
  const entry = typedMember(form, query);
  const isNew =
    entry !== null &&
    !hasMember(
      list,
      options.map(({ value }) => value),
      entry,
    );
  const unseen = unseenMembers(list, { stored, members, seen }).filter(
    (value) => list !== 'geo' || form.labelOf(value) === undefined,
  );
  const add = (added: readonly Member[]): void => addMembers(editing, list, added);
  const remove = (gone: ReadonlySet<string>): void =>
    putMembers(
      editing,
      list,
      members.filter((member) => !gone.has(String(member))),
    );
  const memberOf = (value: string): Member => form.read(value) ?? value;
  return (
    <>
      <MemberChips
        label={`Chosen ${label}`}
        members={members.map((member) => ({
          value: String(member),
          label: form.labelOf(String(member)),
          isNew: !before.has(String(member)),
        }))}
        disabled={isHeld}
        onRemove={(value) => remove(new Set([value]))}
        adds={() => search.current ?? paste.current}
      />
      {unseen.length > 0 && (
        <Banner tone="warning" title={`Not used by any loaded campaign: ${fewNames(unseen, formats)}`}>
          Check the spelling.
        </Banner>
      )}
      <div className={cx(common.row2, pages.wrap)}>
        {(options.length >= searchFrom || query !== '' || list !== 'geo') && (
          <SearchField
            ref={search}
            label={list === 'geo' ? 'Search countries' : `Search or add ${label}`}
            value={query}
            placeholder={list === 'geo' ? 'Search countries' : 'Search or type a value'}
            onChange={setQuery}
            onPaste={(event) => !isHeld && pasteLines(event, setPasted)}
          />
        )}
        {isNew && (
          <Button
            size="small"
            icon="plus"
            disabled={isHeld}
            onClick={() => {
              add([entry]);
              setQuery('');
            }}
          >
            <ForeignText text={`Add “${String(entry)}”`} />
          </Button>
        )}
        <Button
          ref={paste}
          size="small"
          disabled={isHeld}
          aria-label={`Paste into ${label}`}
          onClick={() => setPasted('')}
        >
          Paste…
        </Button>
        {members.length > 0 && (
          <Button
            size="small"
            kind="quiet"
            disabled={isHeld}
            onClick={() =>
              changeAndFocus(
                () => remove(chosen),
                () => search.current ?? paste.current,
              )
            }
          >
            Remove all
          </Button>
        )}
        <span className={lists.count}>
          {formats.count(members.length)} chosen of {formats.count(options.length)} known
        </span>
      </div>
      {list === 'geo' && <Groups chosen={chosen} isHeld={isHeld} onAdd={add} onRemove={remove} />}
      {found.length > 0 ? (
        <MemberPicker
          label={`Known ${label}`}
          options={found}
          chosen={chosen}
          disabled={isHeld}
          onToggle={(value, isChosen) => (isChosen ? add([memberOf(value)]) : remove(new Set([value])))}
        />
      ) : (
        <p className={common.quiet}>
          {options.length === 0 ? 'No values known. Type or paste them.' : 'No results'}
        </p>
      )}
      {pasted !== null && (
        <PasteDialog
          pasted={pasted}
          value={editing.payload[list] ?? []}
          form={form}
          onAdd={add}
          onClose={() => setPasted(null)}
        />
      )}
    </>
  );
}

function matches({ label, value }: PickerOption, query: string): boolean {
  const text = foldedText(query.trim());
  return foldedText(label).includes(text) || foldedText(value).includes(text);
}

function Groups(props: {
  chosen: ReadonlySet<string>;
  isHeld: boolean;
  onAdd: (members: readonly string[]) => void;
  onRemove: (members: ReadonlySet<string>) => void;
}): ReactElement {
  const { chosen, isHeld, onAdd, onRemove } = props;
  return (
    <div className={lists.wrap1} role="group" aria-label="Groups of countries">
      {countryGroups.map(({ name, members }) => {
        const count = members.filter((code) => chosen.has(code)).length;
        const isWhole = count === members.length;
        return (
          <Button
            key={name}
            size="small"
            kind={count > 0 ? 'secondary' : 'quiet'}
            aria-pressed={isWhole}
            disabled={isHeld}
            title={members.join(', ')}
            onClick={() => (isWhole ? onRemove(new Set(members)) : onAdd(members))}
          >
            {name} {count > 0 ? `${count}/${members.length}` : members.length}
          </Button>
        );
      })}
    </div>
  );
}
