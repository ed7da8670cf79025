import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { Icon } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './profiles.module.css';

/** Where the system keeps no secrets for us: that what is given here lasts until the person quits. */
export function SessionOnly(): ReactElement | null {
  const forgets = useStore(desktopStore, (state) => state.vault?.kind === 'session');
  if (!forgets) return null;
  return (
    <p className={styles.note}>
      <Icon name="lock" size={12} />
      Kept until you quit: this system’s vault cannot keep it longer.
    </p>
  );
}
