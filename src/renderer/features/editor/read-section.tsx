import {
  Chip,
  DefinitionList,
  Disclosure,
  ForeignText,
  Mono,
  Section,
  ValueList,
  type Definition,
} from '#renderer/ui/index.ts';
import { fieldLabel, valueInWords } from '#shared/campaign/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { ReactElement, ReactNode } from 'react';
import type { Editing } from './editing.ts';

/** A stored field, in words. Lists of scalars are chips; anything deeper is its JSON. */
export function readValue(editing: Editing, field: string): ReactNode {
  const value = editing.campaign[field];
  if (value === '') return <Chip quiet>–</Chip>;
  if (Array.isArray(value) && value.length > 0 && value.every(isScalar)) {
    return <ValueList values={value.map(String)} />;
  }
  return <ForeignText text={valueInWords(field, value, editing.context)} />;
}

const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null;

/** Rows of stored fields; fields that the campaign does not have are left out. */
export function readRows(editing: Editing, fields: readonly string[]): Definition[] {
  return fields
    .filter((field) => editing.campaign[field] !== undefined)
    .map((field) => ({ key: field, term: fieldLabel(field), value: readValue(editing, field) }));
}

/** A section that is only read. Absent when the campaign has none of its fields. */
export function ReadSection(props: {
  editing: Editing;
  title: string;
  fields: readonly string[];
}): ReactElement | null {
  const items = readRows(props.editing, props.fields);
  if (items.length === 0) return null;
  return (
    <Section title={props.title}>
      <DefinitionList items={items} />
    </Section>
  );
}

/** Fields that no contract names: kept exactly as they are, shown as they are. */
export function OtherFields({
  editing,
  fields,
}: {
  editing: Editing;
  fields: readonly string[];
}): ReactElement | null {
  if (fields.length === 0) return null;
  const items = fields.map((field) => ({
    key: field,
    term: fieldLabel(field),
    value: (
      <Mono>
        <ForeignText text={JSON.stringify(editing.campaign[field])} />
      </Mono>
    ),
  }));
  return (
    <Section title="Other fields, kept unchanged" aside={`${fields.length}`}>
      <Disclosure title="Show them" aside="as the service gave them">
        <DefinitionList items={items} />
      </Disclosure>
    </Section>
  );
}
