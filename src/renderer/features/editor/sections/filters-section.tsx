import { DefinitionList, Disclosure, ForeignText, Mono } from '#renderer/ui/index.ts';
import { contractFields, fieldLabel } from '#shared/campaign/index.ts';
import { filterFields, membersOf } from '#shared/drafts/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { ReactElement } from 'react';
import type { Editing } from '../editing.ts';
import { EditChoice } from '../fields/edit-fields.tsx';
import { ListEditor } from '../lists/list-editor.tsx';
import styles from '../editor.module.css';

const keywordLists = ['keywords_whitelist', 'keywords_blocklist'];

/** Fields that neither the contract names nor the lists hold: shown, and kept as they are. */
export function otherFields(campaign: JsonObject): string[] {
  const known = new Set([...contractFields, ...filterFields(campaign)]);
  return Object.keys(campaign).filter((field) => !known.has(field));
}

/** Keywords, and every list of the read, known or not. */
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

/** Lists that have stored entries first; none moves while it is edited. */
function listsInOrder({ campaign }: Editing): string[] {
  const fields = [...keywordLists, ...filterFields(campaign)].filter(
    (field) => campaign[field] !== undefined,
  );
  const isFilled = (field: string): boolean => (membersOf(campaign[field])?.length ?? 0) > 0;
  return [...fields.filter(isFilled), ...fields.filter((field) => !isFilled(field))];
}

/** Fields that no contract names: kept exactly as they are, shown as they are. */
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
      <p className={styles.hint}>
        The service gave these with the campaign. Countersign does not know their meaning: they are sent back
        unchanged with every change.
      </p>
      <Disclosure title="Fields as the service gave them" aside={`${fields.length}`} open>
        <DefinitionList items={items} />
      </Disclosure>
    </>
  );
}
