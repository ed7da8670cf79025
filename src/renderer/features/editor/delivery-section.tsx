import { DefinitionList, Disclosure, ForeignText, Mono, ScheduleGrid, Section } from '#renderer/ui/index.ts';
import { decodeSchedule, fieldLabel } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import { readRows } from './read-section.tsx';
import styles from './editor.module.css';

const scheduleField = 'shedule';

/** Schedule as a week's grid, then frequency and pacing in words. */
export function DeliverySection(props: {
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
