import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { newProfile } from '#renderer/stores/ui/route.ts';
import type { Theme } from '#renderer/stores/ui/ui-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  Icon,
  IconButton,
  type IconName,
  KeyHint,
  keysOf,
  ProfileMenu,
  common,
} from '#renderer/ui/index.ts';
import { FreezeControl } from '../freeze.tsx';
import { liveElsewhere } from '../profile-words.ts';
import styles from './shell.module.css';

const themes: Record<Theme, { icon: IconName; next: Theme; label: string }> = {
  system: { icon: 'monitor', next: 'light', label: 'Theme: system. Change to light' },
  light: { icon: 'sun', next: 'dark', label: 'Theme: light. Change to dark' },
  dark: { icon: 'moon', next: 'system', label: 'Theme: dark. Change to system' },
};

export interface TitleBarProps {
  place?: ReactElement;
  stop?: ReactElement;
  hasSearch?: boolean;
  /** True if the controls that stop agents need more room. */
  isCrowded?: boolean;
}

export function TitleBar({
  place = <ProfileChip />,
  stop = <FreezeControl />,
  hasSearch = true,
  isCrowded = false,
}: TitleBarProps): ReactElement {
  const { theme, setTheme, show } = useStore(uiStore);
  const frozen = useStore(agentsStore, (state) => state.view !== null && state.view.frozenSinceMs !== null);
  const look = themes[theme];
  return (
    <header className={cx(styles.title, (frozen || isCrowded) && styles.crowded)}>
      {place}
      {hasSearch ? <Search /> : <span />}
      <div className={cx(common.row1, styles.end)}>
        {stop}
        {hasSearch && (
          <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={() => show('shortcuts')} />
        )}
        <IconButton icon={look.icon} label={look.label} onClick={() => setTheme(look.next)} />
      </div>
    </header>
  );
}

function Search(): ReactElement {
  return (
    <button
      type="button"
      className={cx(common.row2, styles.search)}
      title="Search or run a command"
      onClick={() => uiStore.getState().show('palette')}
    >
      <Icon name="search" size={14} />
      <span>Search or run a command</span>
      <KeyHint keys={keysOf('palette')} />
    </button>
  );
}

function ProfileChip(): ReactElement {
  const current = useStore(sessionStore, (state) => state.session?.profile);
  const { list, switchTo } = useStore(profilesStore);
  const { navigate } = uiStore.getState();
  if (!current) return <span />;
  const liveAllowed = list?.liveAllowed ?? false;
  return (
    <ProfileMenu
      current={current}
      profiles={list?.items ?? [current]}
      note={list && !liveAllowed ? liveElsewhere : undefined}
      actions={[
        { id: 'add', label: 'Add a profile…', icon: 'plus', disabled: !liveAllowed },
        { id: 'manage', label: 'Manage profiles', icon: 'profiles' },
      ]}
      onProfile={(id) => void switchTo(id)}
      onAction={(id) => navigate({ page: 'profiles', id: id === 'add' ? newProfile : null })}
    />
  );
}
