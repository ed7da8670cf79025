import { besideStore } from '#renderer/stores/editor/index.ts';
import {
  Banner,
  Button,
  Disclosure,
  ForeignText,
  MemberChips,
  MemberPicker,
  SearchField,
  type PickerOption,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import {
  countryGroups,
  fieldLabel,
  targetingDimensions,
  type TargetingDimension,
} from '#shared/campaign/index.ts';
import { type Member, membersOf } from '#shared/drafts/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { countText } from '#shared/lib/number-text.ts';
import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { type Editing, isUsed, setField } from '../editing.ts';
import { FieldBlock, WasNote } from '../fields/field-block.tsx';
import { putMembers } from '../lists/list-editor.tsx';
import { listForm, optionsOf, unseenMembers } from '../lists/list-values.ts';
import { PasteDialog } from '../lists/paste-dialog.tsx';
import lists from '../lists/lists.module.css';
import styles from '../editor.module.css';

/** The eleven dimensions: all values, or the chosen ones. */
export function TargetingSection({ editing }: { editing: Editing }): ReactElement {
  const used = targetingDimensions.filter(({ flag }) => isUsed(editing, flag));
  const others = targetingDimensions.filter((dimension) => !used.includes(dimension));
  const [open, setOpen] = useState<string | null>(firstOpen(editing, used));
  return (
    <>
      <div className={lists.dimensions}>
        {used.map((dimension) => (
          <Disclosure
            key={dimension.flag}
            title={<DimensionTitle editing={editing} dimension={dimension} />}
            aside={<ForeignText text={summaryOf(editing, dimension)} />}
            open={open === dimension.flag}
            onToggle={(isOpen) => {
              if (isOpen) setOpen(dimension.flag);
              else if (open === dimension.flag) setOpen(null);
            }}
          >
            {open === dimension.flag && <Dimension editing={editing} dimension={dimension} />}
          </Disclosure>
        ))}
      </div>
      {others.length > 0 && (
        <p className={styles.hint}>
          Not used by this type, kept as they are: {others.map(({ list }) => fieldLabel(list)).join(', ')}.
        </p>
      )}
    </>
  );
}

/** The first dimension with an error, else the countries. */
function firstOpen({ errorAt }: Editing, used: readonly TargetingDimension[]): string | null {
  return used.find(({ flag, list }) => errorAt.has(flag) || errorAt.has(list))?.flag ?? used[0]?.flag ?? null;
}

function summaryOf({ payload }: Editing, { flag, list, one, many }: TargetingDimension): string {
  if (payload[flag] === 1) return 'All';
  const members = membersOf(payload[list]) ?? [];
  const form = listForm(list, payload[list] ?? [], null);
  const named = members.slice(0, 4).map((member) => form.labelOf(String(member)) ?? String(member));
  const rest = members.length > 4 ? ` and ${members.length - 4} more` : '';
  return members.length === 0
    ? `No ${one}`
    : `${counted(members.length, one, many)}: ${named.join(', ')}${rest}`;
}

function DimensionTitle(props: { editing: Editing; dimension: TargetingDimension }): ReactElement {
  const { editing, dimension } = props;
  const isChanged = [dimension.flag, dimension.list].some((field) => editing.changed.includes(field));
  const isWrong = [dimension.flag, dimension.list].some((field) => editing.errorAt.has(field));
  return (
    <>
      {fieldLabel(dimension.list)}
      {isChanged && <span className={lists.mark}> · Edited</span>}
      {isWrong && <span className={lists.bad}> · Needs attention</span>}
    </>
  );
}

const searchFrom = 8;

function Dimension({
  editing,
  dimension,
}: {
  editing: Editing;
  dimension: TargetingDimension;
}): ReactElement {
  const { flag, list, many } = dimension;
  const { payload, campaign } = editing;
  const label = fieldLabel(list);
  const isHeld = editing.proposalId !== null;
  const isAll = payload[flag] === 1;
  const error = editing.errorAt.get(list) ?? editing.errorAt.get(flag);
  return (
    <FieldBlock editing={editing} fields={[flag, list]}>
      <div className={lists.dimension}>
        <div className={styles.tools}>
          <Segments
            label={fieldLabel(flag)}
            value={isAll ? 'all' : 'custom'}
            options={[
              { id: 'all', label: `All ${many}` },
              { id: 'custom', label: 'Only chosen' },
            ]}
            onChange={(mode) => {
              if (!isHeld) setField(editing, flag, mode === 'all' ? 1 : 0);
            }}
          />
          {[flag, list]
            .filter((field) => editing.changed.includes(field))
            .map((field) => (
              <span key={field} className={styles.hint}>
                {fieldLabel(field)} <WasNote editing={editing} field={field} />
              </span>
            ))}
        </div>
        {membersOf(campaign[list]) === null ? (
          <Banner tone="info" title={`${label} have a form that Countersign does not know.`}>
            They are kept unchanged.
          </Banner>
        ) : (
          !isAll && <Members editing={editing} list={list} isHeld={isHeld} />
        )}
        {error !== undefined && (
          <p className={lists.error} role="alert">
            {error}
          </p>
        )}
      </div>
    </FieldBlock>
  );
}

function Members(props: { editing: Editing; list: string; isHeld: boolean }): ReactElement {
  const { editing, list, isHeld } = props;
  const seen = useStore(besideStore, (state) => state.values);
  const [query, setQuery] = useState('');
  const [isPasting, setPasting] = useState(false);
  const stored = editing.campaign[list] ?? [];
  const members = membersOf(editing.payload[list]) ?? [];
  const before = new Set((membersOf(stored) ?? []).map(String));
  const label = fieldLabel(list);
  const form = listForm(list, stored, seen);
  const options = optionsOf(list, members, seen);
  const found = options.filter((option) => matches(option, query));
  const chosen = new Set(members.map(String));
  const entry = query.trim() === '' ? null : form.read(query.trim());
  const isNew =
    entry !== null && !options.some(({ value }) => value.toLowerCase() === String(entry).toLowerCase());
  const unseen = unseenMembers(list, { stored, members, seen }).filter(
    (value) => list !== 'geo' || form.labelOf(value) === undefined,
  );
  const add = (added: readonly Member[]): void =>
    putMembers(editing, list, [...members, ...added.filter((member) => !chosen.has(String(member)))]);
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
      />
      {unseen.length > 0 && (
        <Banner tone="warning" title={`Not used by any campaign that was read: ${unseen.join(', ')}`}>
          Check the spelling: the service may refuse it.
        </Banner>
      )}
      <div className={lists.row}>
        {(options.length >= searchFrom || query !== '' || list !== 'geo') && (
          <SearchField
            label={list === 'geo' ? 'Search countries' : `Search or add ${label}`}
            value={query}
            placeholder={list === 'geo' ? 'Search countries' : 'Search or type a value'}
            onChange={setQuery}
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
          size="small"
          disabled={isHeld}
          aria-label={`Paste into ${label}`}
          onClick={() => setPasting(true)}
        >
          Paste…
        </Button>
        {members.length > 0 && (
          <Button size="small" kind="quiet" disabled={isHeld} onClick={() => remove(chosen)}>
            Remove all
          </Button>
        )}
        <span className={lists.count}>
          {countText(members.length)} chosen of {countText(options.length)} known
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
        <p className={lists.hint}>
          {options.length === 0
            ? 'No campaign that was read has such a value. Type or paste values.'
            : 'No results'}
        </p>
      )}
      {isPasting && (
        <PasteDialog
          field={list}
          value={editing.payload[list] ?? []}
          form={form}
          onAdd={add}
          onClose={() => setPasting(false)}
        />
      )}
    </>
  );
}

function matches({ label, value }: PickerOption, query: string): boolean {
  const text = query.trim().toLowerCase();
  return text === '' || label.toLowerCase().includes(text) || value.toLowerCase().includes(text);
}

function Groups(props: {
  chosen: ReadonlySet<string>;
  isHeld: boolean;
  onAdd: (members: readonly string[]) => void;
  onRemove: (members: ReadonlySet<string>) => void;
}): ReactElement {
  const { chosen, isHeld, onAdd, onRemove } = props;
  return (
    <div className={lists.groups} role="group" aria-label="Groups of countries">
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
