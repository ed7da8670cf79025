import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { trainingStore } from '#renderer/stores/training/index.ts';
import { Button, Icon } from '#renderer/ui/index.ts';
import styles from '../mission/training-mission.module.css';

export interface PracticeBarProps {
  /** The control panel is open. */
  isOpen: boolean;
  onToggle: () => void;
}

/** Free practice over every page of its workspace. */
export function PracticeBar({ isOpen, onToggle }: PracticeBarProps): ReactElement {
  const { doing, leave } = useStore(trainingStore);
  return (
    <section className={styles.bar} aria-label="Free practice">
      <span className={styles.name}>
        <Icon name="training" size={14} />
        Free practice
      </span>
      <span className={styles.soft}>Not scored</span>
      <span className={styles.actions}>
        <Button size="small" icon="panel" aria-expanded={isOpen} onClick={onToggle}>
          Control panel
        </Button>
        <Button size="small" disabled={doing !== null} onClick={() => void leave()}>
          Leave
        </Button>
      </span>
    </section>
  );
}
