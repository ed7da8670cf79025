import type { ReactElement } from 'react';
import type { Mastery } from '../stores/results-store.ts';
import { Icon, type IconName, type PillTone } from '#renderer/ui/index.ts';
import styles from './training-results.module.css';

const signs: Record<Mastery, { word: string; icon: IconName; tone: PillTone }> = {
  'not-met': { word: 'Not seen yet', icon: 'minus', tone: 'neutral' },
  unreliable: { word: 'Not reliable', icon: 'alert-circle', tone: 'waiting' },
  reliable: { word: 'Reliable', icon: 'check-circle', tone: 'good' },
};

/** How well a kind of fault is caught, as a sign with its word. */
export function MasterySign({ mastery }: { mastery: Mastery }): ReactElement {
  const { word, icon, tone } = signs[mastery];
  return (
    <span className={styles.sign}>
      <Icon name={icon} size={14} tone={tone} />
      {word}
    </span>
  );
}
