import { agentsStore } from '#renderer/stores/agents/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { cx, Icon, IconButton, KeyHint, type IconName } from '#renderer/ui/index.ts';
import type { Theme } from '#renderer/stores/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { FreezeControl } from './freeze/freeze-control.tsx';
import { commandKey } from './keyboard/platform.ts';
import { ProfileChip } from './profile/profile-chip.tsx';
import styles from './shell.module.css';

const themes: Record<Theme, { icon: IconName; next: Theme; label: string }> = {
  system: { icon: 'monitor', next: 'light', label: 'Theme: system. Change to light' },
  light: { icon: 'sun', next: 'dark', label: 'Theme: light. Change to dark' },
  dark: { icon: 'moon', next: 'system', label: 'Theme: dark. Change to system' },
};

/** Whose money it is about, and the way to everything. */
export function TitleBar(): ReactElement {
  const { theme, setTheme, show } = useStore(uiStore);
  const frozen = useStore(agentsStore, (state) => state.view !== null && state.view.frozenSinceMs !== null);
  const look = themes[theme];
  return (
    <header className={cx(styles.title, frozen && styles.crowded)}>
      <ProfileChip />
      <button
        type="button"
        className={styles.search}
        title="Search or run a command"
        onClick={() => show('palette')}
      >
        <Icon name="search" size={14} />
        <span>Search or run a command</span>
        <KeyHint keys={[commandKey, 'K']} />
      </button>
      <div className={styles.end}>
        <FreezeControl />
        <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={() => show('shortcuts')} />
        <IconButton icon={look.icon} label={look.label} onClick={() => setTheme(look.next)} />
      </div>
    </header>
  );
}
