import { newProfile, routeHref, uiStore } from '#renderer/stores/ui/index.ts';
import { Button, ListLink, ProfileSign } from '#renderer/ui/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import type { KeyboardEvent, ReactElement } from 'react';
import styles from './profiles.module.css';
import { accountWords, standing } from './profile-words.ts';

/** The profiles, Demo first. Arrow keys and j, k move between them. */
export function ProfileList(props: {
  list: AppOutput<'profiles.list'>;
  selectedId: string | null;
}): ReactElement {
  const { items, currentId, liveAllowed } = props.list;
  const { selectedId } = props;

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const at = items.findIndex(({ id }) => id === selectedId);
    const id = items[Math.max(0, Math.min(items.length - 1, at + step))]?.id;
    if (id === undefined) return;
    uiStore.getState().navigate({ page: 'profiles', id });
    document.getElementById(`profile-${id}`)?.focus();
  }

  return (
    <nav className={styles.list} aria-label="Profiles" onKeyDown={onKeyDown}>
      <ul>
        {items.map((profile) => (
          <li key={profile.id}>
            <ListLink
              id={`profile-${profile.id}`}
              href={routeHref({ page: 'profiles', id: profile.id })}
              className={styles.item}
              selected={profile.id === selectedId}
            >
              <span className={styles.listHead}>
                <ProfileSign kind={profile.kind} name={profile.name} />
                {profile.id === currentId && <span className={styles.front}>active</span>}
              </span>
              <span className={styles.facts}>{accountWords(profile)}</span>
              <span className={styles.facts}>{standing(profile)}</span>
            </ListLink>
          </li>
        ))}
      </ul>
      {liveAllowed && (
        <div className={styles.add}>
          <Button
            kind="quiet"
            icon="plus"
            onClick={() => uiStore.getState().navigate({ page: 'profiles', id: newProfile })}
          >
            Add a profile
          </Button>
        </div>
      )}
    </nav>
  );
}
