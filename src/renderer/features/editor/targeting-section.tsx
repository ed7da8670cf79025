import { Chip, DefinitionList, Section } from '#renderer/ui/index.ts';
import { fieldLabel, targetingDimensions, valueInWords } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import { readValue } from './read-section.tsx';

/** One row for each dimension: all values, or the chosen ones as chips (contract §2.4). */
export function TargetingSection({ editing, title }: { editing: Editing; title: string }): ReactElement {
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
