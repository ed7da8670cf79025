import { useState, type ReactElement } from 'react';
import { LinkButton } from '../controls/link-button.tsx';
import { Chip, ChipList } from './chip.tsx';
import { ForeignText } from './foreign-text.tsx';

const atOnce = 24;

/** The members of a list as chips: the first ones at once, all of them on request, the count always. */
export function ValueList({ values }: { values: readonly string[] }): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, atOnce);
  return (
    <ChipList>
      {shown.map((value, index) => (
        <Chip key={index}>
          <ForeignText text={value} />
        </Chip>
      ))}
      {shown.length < values.length && (
        <LinkButton onClick={() => setAll(true)}>Show all {values.length.toLocaleString('en-US')}</LinkButton>
      )}
    </ChipList>
  );
}
