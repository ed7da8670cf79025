import { Fragment, type ReactElement, type ReactNode } from 'react';
import {
  Chip,
  type Definition,
  DefinitionList,
  Disclosure,
  ForeignText,
  Mono,
  ScheduleGrid,
  Section,
} from '#renderer/ui/index.ts';
import {
  contractFields,
  decodeSchedule,
  type FieldGroup,
  fieldGroups,
  fieldLabel,
  targetingDimensions,
  valueInWords,
} from '#shared/campaign/index.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { AmountField, BudgetSwitch, NameField, StatusField } from './edit-fields.tsx';
import type { Editing } from './editing.ts';
import styles from './editor.module.css';
import { flightRow, isFlightField } from './field-words.ts';
import { OtherFields, readRows, ReadSection, readValue } from './read-section.tsx';

const edited = new Set(['name', 'status', 'payout', 'enable_budget', 'd_revenue', 't_revenue']);

const isEdited = ({ fields }: FieldGroup): boolean => fields.some((field) => edited.has(field));

export interface SectionsProps {
  editing: Editing;
  lastChanges: ReactNode;
}

/** The whole campaign: the sections with inputs first, then its last changes, then everything else as words. */
export function Sections({ editing, lastChanges }: SectionsProps): ReactElement {
  const known = new Set(contractFields);
  const others = Object.keys(editing.campaign).filter((field) => !known.has(field));
  return (
    <>
      {fieldGroups.filter(isEdited).map((group) => (
        <Fragment key={group.title}>{section(editing, group)}</Fragment>
      ))}
      {lastChanges}
      {fieldGroups
        .filter((group) => !isEdited(group))
        .map((group) => (
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

const scheduleField = 'shedule';

/** Schedule as a week's grid, then frequency and pacing in words. */
function DeliverySection(props: {
  editing: Editing;
  title: string;
  fields: readonly string[];
}): ReactElement {
  const { editing, title, fields } = props;
  const stored = editing.campaign[scheduleField];
  const week = decodeSchedule(stored);
  const items = readRows(
    editing,
    fields.filter((field) => field !== scheduleField),
  );
  return (
    <Section title={title}>
      <DefinitionList items={items} />
      {week && editing.campaign['enable_shedule'] === 1 && (
        <div className={styles.week}>
          <ScheduleGrid hours={week} />
        </div>
      )}
      {!week && stored !== undefined && (
        <Disclosure title={fieldLabel(scheduleField)} aside="of an unknown shape, kept unchanged">
          <Mono block>
            <ForeignText text={JSON.stringify(stored)} />
          </Mono>
        </Disclosure>
      )}
    </Section>
  );
}

/** One row for each dimension: all values, or the chosen ones as chips (contract §2.4). */
function TargetingSection({ editing, title }: { editing: Editing; title: string }): ReactElement {
  const items = targetingDimensions
    .filter(({ flag }) => editing.campaign[flag] !== undefined)
    .map(({ flag, list }) => ({
      key: flag,
      term: fieldLabel(list),
      value:
        editing.campaign[flag] === 1 ? (
          <Chip quiet>{valueInWords(flag, 1, editing.context)}</Chip>
        ) : (
          readValue(editing, list)
        ),
    }));
  return (
    <Section title={title}>
      <DefinitionList items={items} />
    </Section>
  );
}

/** Bid controls as the service gave them. The contract does not show their fields (§2.4), so every member is printed as it is. */
function BidControlSection(props: { editing: Editing; title: string }): ReactElement | null {
  const controls = props.editing.campaign['bidControl'];
  if (!Array.isArray(controls) || controls.length === 0) return null;
  return (
    <Section title={props.title} aside={`${controls.length}, kept unchanged`}>
      <ul className={styles.list}>
        {controls.map((control, index) => (
          <li key={index} className={styles.entry}>
            {isJsonObject(control) ? (
              Object.entries(control).map(([key, value]) => <Member key={key} name={key} value={value} />)
            ) : (
              <Mono>
                <ForeignText text={JSON.stringify(control)} />
              </Mono>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Member({ name, value }: { name: string; value: JsonValue }): ReactElement {
  return (
    <span>
      <span className={styles.key}>
        <ForeignText text={name} />
      </span>{' '}
      <ForeignText text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </span>
  );
}
