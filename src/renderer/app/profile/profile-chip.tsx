import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { newProfile, uiStore } from '#renderer/stores/ui/index.ts';
import { ProfileMenu } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { liveElsewhere } from './words.ts';

/** Whose money it is, and the way to the other profiles. */
export function ProfileChip(): ReactElement {
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
