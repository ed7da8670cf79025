import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './report.module.css';

export interface SegmentsProps<Id extends string> {
  /** What is chosen. */
  label: string;
  value: Id;
  options: readonly { id: Id; label: string }[];
  onChange: (id: Id) => void;
}

/** One choice of very few, side by side; each is a button, and the chosen one is pressed. */
export function Segments<Id extends string>(props: SegmentsProps<Id>): ReactElement {
  const { label, value, options, onChange } = props;
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.id}
          size="small"
          kind={option.id === value ? 'secondary' : 'quiet'}
          aria-pressed={option.id === value}
          onClick={() => onChange(option.id)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}
