import type { ReactElement } from 'react';
import { Icon, pages } from '#renderer/ui/index.ts';
import type { Difference } from '#shared/reports/index.ts';
import styles from './figures.module.css';

interface ChangeTextProps {
  difference: Difference;
  part: 'ratio' | 'both';
}

/** Never coloured: a direction says nothing about the level. The sentence is for assistive technology. */
export function ChangeText({ difference, part }: ChangeTextProps): ReactElement {
  const { direction, absolute, ratio, sentence } = difference;
  const text = part === 'ratio' ? (ratio ?? absolute) : [absolute, ratio].filter(Boolean).join(' · ');
  return (
    <span className={styles.changeTextChange} title={sentence}>
      {direction !== 'same' && <Icon name={direction === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
      <span aria-hidden>{text}</span>
      <span className={pages.unseen}>{sentence}</span>
    </span>
  );
}
