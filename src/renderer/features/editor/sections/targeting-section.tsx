import {
  useFormats,
  Banner,
  Disclosure,
  ForeignText,
  DefinitionList,
  Mono,
  common,
  cx,
  FieldError,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import {
  fieldLabel,
  targetingDimensions,
  type TargetingDimension,
  contractFields,
} from '#shared/campaign/index.ts';
import { membersOf, filterFields } from '#shared/drafts/index.ts';
import { type ReactElement, useState } from 'react';
import { type Editing, isUsed, setField } from '../editing.ts';
import { ClearField, refusedByType, EditChoice } from '../fields/edit-fields.tsx';
import { FieldBlock, WasNote } from '../fields/field-block.tsx';
import { listForm } from '../lists/list-values.ts';
import lists from '../fields/edit-fields.module.css';
import styles from '../editor.module.css';
import { TargetingMembers } from './targeting-members.tsx';
import type { Formats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ListEditor } from '../lists/list-editor.tsx';

export function TargetingSection({ editing }: { editing: Editing }): ReactElement {
  const formats = useFormats();
  const used = targetingDimensions.filter(
    (dimension) => isUsed(editing, dimension.flag) || needsDecision(editing, dimension),
  );
  const others = targetingDimensions.filter((dimension) => !used.includes(dimension));
  const [open, setOpen] = useState<string | null>(firstOpen(editing, used));
  return (
    <>
      <div className={cx(common.stack, lists.dimensions)}>
        {used.map((dimension) => (
          <Disclosure
            key={dimension.flag}
            title={<DimensionTitle editing={editing} dimension={dimension} />}
            aside={<ForeignText text={summaryOf(editing, dimension, formats)} />}
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
        <p className={common.quiet}>
          Not used by this type: {others.map(({ list }) => fieldLabel(list)).join(', ')}.
        </p>
      )}
    </>
  );
}

/** True if a dimension that the type does not use must be shown, because it has an error or a change. */
function needsDecision({ errorAt, changed }: Editing, { flag, list }: TargetingDimension): boolean {
  return [flag, list].some((field) => errorAt.has(field) || changed.includes(field));
}

function firstOpen({ errorAt }: Editing, used: readonly TargetingDimension[]): string | null {
  return used.find(({ flag, list }) => errorAt.has(flag) || errorAt.has(list))?.flag ?? used[0]?.flag ?? null;
}

function summaryOf(
  { payload }: Editing,
  { flag, list, one, many }: TargetingDimension,
  formats: Formats,
): string {
  if (payload[flag] === 1) return 'All';
  const members = membersOf(payload[list]) ?? [];
  const form = listForm(list, payload[list] ?? [], null);
  const named = members.slice(0, 4).map((member) => form.labelOf(String(member)) ?? String(member));
  const rest = members.length > 4 ? ` and ${members.length - 4} more` : '';
  return members.length === 0
    ? `No ${one}`
    : `${formats.counted(members.length, one, many)}: ${named.join(', ')}${rest}`;
}

function DimensionTitle({ editing, dimension }: DimensionProps): ReactElement {
  const fields = [dimension.flag, dimension.list];
  const isChanged = fields.some((field) => editing.changed.includes(field));
  const isWrong = fields.some((field) => editing.errorAt.has(field));
  return (
    <>
      <span>{fieldLabel(dimension.list)}</span>
      {isChanged && <span className={lists.mark}> · Edited</span>}
      {isWrong && <span className={common.bad}> · Needs attention</span>}
    </>
  );
}

interface DimensionProps {
  editing: Editing;
  dimension: TargetingDimension;
}

function Dimension({ editing, dimension }: DimensionProps): ReactElement {
  const { flag, list, many } = dimension;
  const { payload, campaign } = editing;
  const label = fieldLabel(list);
  const isAll = payload[flag] === 1;
  const error = editing.errorAt.get(list) ?? editing.errorAt.get(flag);
  return (
    <FieldBlock editing={editing} fields={[flag, list]}>
      <div className={cx(common.stack3, lists.dimension)}>
        <div className={lists.wrapTight}>
          <Segments
            label={fieldLabel(flag)}
            value={isAll ? 'all' : 'custom'}
            options={[
              { id: 'all', label: `All ${many}` },
              { id: 'custom', label: 'Only chosen' },
            ]}
            onChange={(mode) => {
              if (editing.proposalId === null) setField(editing, flag, mode === 'all' ? 1 : 0);
            }}
          />
          {[flag, list]
            .filter((field) => editing.changed.includes(field))
            .map((field) => (
              <span key={field} className={common.quiet}>
                {fieldLabel(field)} <WasNote editing={editing} field={field} />
              </span>
            ))}
        </div>
        <FieldError text={error} />
        {refusedByType(editing).includes(list) && (
          <div>
            <ClearField editing={editing} field={list} />
          </div>
        )}
        {membersOf(campaign[list]) === null ? (
          <Banner tone="info" title={`${label} have a form that Countersign does not know.`}>
            They are kept unchanged.
          </Banner>
        ) : (
          !isAll && <TargetingMembers editing={editing} list={list} />
        )}
      </div>
    </FieldBlock>
  );
}

const keywordLists = ['keywords_whitelist', 'keywords_blocklist'];

/** Fields that neither the contract nor the filter lists name. They are shown, and stored unchanged. */
export function otherFields(campaign: JsonObject): string[] {
  const known = new Set([...contractFields, ...filterFields(campaign)]);
  return Object.keys(campaign).filter((field) => !known.has(field));
}

export function FiltersSection({ editing }: { editing: Editing }): ReactElement {
  const isOff = editing.payload['keywords_enabled'] === 0;
  return (
    <>
      <div className={styles.form}>
        <EditChoice
          editing={editing}
          field="keywords_enabled"
          limit={isOff ? 'The keyword lists are ignored' : undefined}
          options={[
            { value: 1, label: 'On' },
            { value: 0, label: 'Off' },
          ]}
        />
      </div>
      {listsInOrder(editing).map((field) => (
        <ListEditor key={field} editing={editing} field={field} />
      ))}
    </>
  );
}

function listsInOrder({ campaign }: Editing): string[] {
  const fields = [...keywordLists, ...filterFields(campaign)].filter(
    (field) => campaign[field] !== undefined,
  );
  const isFilled = (field: string): boolean => (membersOf(campaign[field])?.length ?? 0) > 0;
  return [...fields.filter(isFilled), ...fields.filter((field) => !isFilled(field))];
}

export function OtherSection({ editing }: { editing: Editing }): ReactElement {
  const fields = otherFields(editing.campaign);
  const items = fields.map((field) => ({
    key: field,
    term: <ForeignText text={fieldLabel(field)} />,
    value: (
      <Mono>
        <ForeignText text={JSON.stringify(editing.campaign[field])} />
      </Mono>
    ),
  }));
  return (
    <>
      <p className={common.quiet}>
        The service gave these with the campaign. Countersign does not know their meaning: they are sent back
        unchanged with every change.
      </p>
      <Disclosure title="Fields as the service gave them" aside={`${fields.length}`} open>
        <DefinitionList items={items} />
      </Disclosure>
    </>
  );
}
