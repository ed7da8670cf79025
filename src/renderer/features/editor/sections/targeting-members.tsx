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
import type { Member } from '#shared/drafts/index.ts';
import { foldedText } from '#shared/lib/folded-text.ts';
import { type ReactElement, useRef, useState } from 'react';
import type { Editing } from '../editing.ts';
import { pasteLines, useMembers } from '../lists/list-editor.tsx';
import { fewNames, hasMember, optionsOf, parseMember, unseenMembers } from '../lists/list-values.ts';
import lists from '../fields/edit-fields.module.css';

const searchFrom = 8;

export function TargetingMembers(props: { editing: Editing; list: string }): ReactElement {
  const formats = useFormats();
  const { editing, list } = props;
  const isHeld = editing.proposalId !== null;
  const { seen, stored, members, form, add, remove, chipOf, paste, pasteDialog } = useMembers(editing, list);
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const pasteButton = useRef<HTMLButtonElement>(null);
  const label = fieldLabel(list);
  const options = optionsOf(list, members, seen, formats);
  const found = options.filter((option) => matches(option, query));
  const chosen = new Set(members.map(String));
  const entry = parseMember(form, query);
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
  const memberOf = (value: string): Member => form.read(value) ?? value;
  return (
    <>
      <MemberChips
        label={`Chosen ${label}`}
        members={members.map(chipOf)}
        disabled={isHeld}
        onRemove={(value) => remove(new Set([value]))}
        adds={() => search.current ?? pasteButton.current}
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
            onPaste={(event) => !isHeld && pasteLines(event, paste)}
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
          ref={pasteButton}
          size="small"
          disabled={isHeld}
          aria-label={`Paste into ${label}`}
          onClick={() => paste('')}
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
                () => search.current ?? pasteButton.current,
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
      {pasteDialog}
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
