import { DefinitionList, Section, type Definition } from '#renderer/ui/index.ts';
import { contractFields, fieldGroups, type FieldGroup } from '#shared/campaign/index.ts';
import { Fragment, type ReactElement } from 'react';
import { BidControlSection } from './bid-control-section.tsx';
import { DeliverySection } from './delivery-section.tsx';
import { AmountField, BudgetSwitch, NameField, StatusField } from './edit-fields.tsx';
import type { Editing } from './editing.ts';
import { flightRow, isFlightField } from './flight.ts';
import { OtherFields, ReadSection, readRows } from './read-section.tsx';
import { TargetingSection } from './targeting-section.tsx';
import styles from './editor.module.css';

const edited = new Set(['name', 'status', 'payout', 'enable_budget', 'd_revenue', 't_revenue']);

/** Groups in which something can be edited stand before those that are only read. */
const editedFirst = fieldGroups.toSorted((a, b) => editedCount(b) - editedCount(a));

function editedCount({ fields }: FieldGroup): number {
  return fields.some((field) => edited.has(field)) ? 1 : 0;
}

/** The whole campaign: what can be edited stands as inputs in its section, everything else as words. */
export function Sections({ editing }: { editing: Editing }): ReactElement {
  const known = new Set(contractFields);
  const others = Object.keys(editing.campaign).filter((field) => !known.has(field));
  return (
    <>
      {editedFirst.map((group) => (
        <Fragment key={group.title}>{section(editing, group)}</Fragment>
      ))}
      <OtherFields editing={editing} fields={others} />
    </>
  );
}

function section(editing: Editing, { title, fields }: FieldGroup): ReactElement {
  const read = fields.filter((field) => !edited.has(field));
  if (fields.includes('payout')) {
    return (
      <Section title={title}>
        <div className={styles.form}>
          <div className={styles.wide}>
            <NameField editing={editing} />
          </div>
          <StatusField editing={editing} />
          <AmountField editing={editing} field="payout" />
        </div>
        <DefinitionList items={readRows(editing, read)} />
      </Section>
    );
  }
  if (fields.includes('d_revenue')) {
    return (
      <Section title={title}>
        <div className={styles.form}>
          <div className={styles.wide}>
            <BudgetSwitch editing={editing} />
          </div>
          <AmountField editing={editing} field="d_revenue" />
          <AmountField editing={editing} field="t_revenue" />
        </div>
        <DefinitionList items={budgetRows(editing, read)} />
      </Section>
    );
  }
  if (fields.includes('shedule')) return <DeliverySection {...{ editing, title, fields }} />;
  if (fields.includes('bidControl')) return <BidControlSection editing={editing} title={title} />;
  if (fields.includes('geo')) return <TargetingSection editing={editing} title={title} />;
  return <ReadSection {...{ editing, title, fields }} />;
}

function budgetRows(editing: Editing, fields: readonly string[]): Definition[] {
  const flight = flightRow(editing);
  if (!flight) return readRows(editing, fields);
  return [
    flight,
    ...readRows(
      editing,
      fields.filter((field) => !isFlightField(field)),
    ),
  ];
}
