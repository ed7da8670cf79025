import type { ReactElement } from 'react';
import { inertText } from '#shared/lib/inert-text.ts';
import { cx } from '../cx.ts';
import styles from './labels.module.css';
import { ForeignText } from './values.tsx';

export type LabelTone = 'grey' | 'blue' | 'violet' | 'pink' | 'brown' | 'olive';

export interface LabelChipProps {
  name: string;
  color: LabelTone;
}

function LabelChip({ name, color }: LabelChipProps): ReactElement {
  return (
    <span className={styles.chip}>
      <LabelDisc color={color} />
      <span className={styles.name}>
        <ForeignText text={name} />
      </span>
    </span>
  );
}

export function LabelDisc({ color }: { color: LabelTone }): ReactElement {
  return <span className={cx(styles.disc, styles[color])} aria-hidden />;
}

/** The labels of one campaign in a narrow place: the first ones, and the number of the others. All of them are in the title. */
export function LabelChips(props: { labels: readonly LabelChipProps[]; max: number }): ReactElement | null {
  const { labels, max } = props;
  if (labels.length === 0) return null;
  const names = labels.map(({ name }) => inertText(name)).join(', ');
  return (
    <span className={styles.chips} title={names} role="group" aria-label={`Labels: ${names}`}>
      {labels.slice(0, max).map((label) => (
        <LabelChip key={label.name} {...label} />
      ))}
      {labels.length > max && <span className={styles.more}>+{labels.length - max}</span>}
    </span>
  );
}
