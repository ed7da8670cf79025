import type { KeyboardEvent, ReactElement } from 'react';
import { useStore } from 'zustand';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { newProfile, routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Button,
  EmptyState,
  ListLink,
  PageFrame,
  Pill,
  ProfileSign,
  tableKeyOf,
  common,
  cx,
  FailureBanner,
  FailureState,
  Loading,
} from '#renderer/ui/index.ts';
import type { AppOutput } from '#shared/app-api/index.ts';
import { ProfileDetailView } from './profile-detail.tsx';
import { NewProfile } from './profile-form.tsx';
import { accountWords, profileSummary } from './profile-words.ts';
import styles from './profiles.module.css';

export function ProfilesView({ selectedId }: { selectedId: string | null }): ReactElement {
  const formats = useFormats();
  const { list, failure, reload } = useStore(profilesStore);
  return (
    <PageFrame
      title="Profiles"
      count={list && formats.counted(list.items.length, 'profile')}
      guide={routeHref({ page: 'guide', place: 'live-services' })}
    >
      {list && failure && (
        <FailureBanner flush tone="warning" failure={failure} onRetry={reload}>
          This page may be out of date.
        </FailureBanner>
      )}
      {list && <Columns list={list} selectedId={selectedId} />}
      {!list && failure && (
        <FailureState failure={failure} onRetry={reload}>
          No profile was changed.
        </FailureState>
      )}
      {!list && !failure && (
        <Loading label="Reading the profiles" widths={['64%', '48%', '72%', '32%', '60%', '56%']} />
      )}
    </PageFrame>
  );
}

function Columns(props: { list: AppOutput<'profiles.list'>; selectedId: string | null }): ReactElement {
  const { list, selectedId } = props;
  const hasLive = list.items.some(({ kind }) => kind === 'live');
  const shownId = selectedId ?? (hasLive ? list.currentId : null);
  return (
    <div className={styles.columns}>
      <ProfileList list={list} selectedId={shownId} />
      <div className={styles.side}>
        <Side list={list} shownId={shownId} />
      </div>
    </div>
  );
}

function Side(props: { list: AppOutput<'profiles.list'>; shownId: string | null }): ReactElement {
  const { list, shownId } = props;
  if (shownId === null || (shownId === newProfile && !list.liveAllowed)) {
    return <NoLive liveAllowed={list.liveAllowed} />;
  }
  if (shownId === newProfile) return <NewProfile />;
  const profile = list.items.find(({ id }) => id === shownId);
  if (profile) {
    return <ProfileDetailView key={profile.id} profile={profile} current={profile.id === list.currentId} />;
  }
  return (
    <EmptyState
      icon="profiles"
      title="No such profile"
      action={<a href={routeHref({ page: 'profiles', id: list.currentId })}>Show the active profile</a>}
    >
      It was removed, or the address is wrong.
    </EmptyState>
  );
}

function NoLive({ liveAllowed }: { liveAllowed: boolean }): ReactElement {
  return !liveAllowed ? (
    <EmptyState icon="profiles" title="Demo only">
      Live profiles work in the desktop app only.
    </EmptyState>
  ) : (
    <EmptyState icon="profiles" title="Connect a live service" action={<AddProfile kind="primary" />}>
      A profile is one service with its addresses and sign-in. Demo stays.
    </EmptyState>
  );
}

function AddProfile({ kind }: { kind: 'primary' | 'quiet' }): ReactElement {
  return (
    <Button
      kind={kind}
      icon="plus"
      onClick={() => uiStore.getState().navigate({ page: 'profiles', id: newProfile })}
    >
      Add a profile
    </Button>
  );
}

function ProfileList(props: { list: AppOutput<'profiles.list'>; selectedId: string | null }): ReactElement {
  const { items, currentId, liveAllowed } = props.list;
  const { selectedId } = props;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[tableKeyOf(event, [])];
    if (step === undefined) return;
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
              <span className={common.spread}>
                <ProfileSign kind={profile.kind} name={profile.name} />
                {profile.id === currentId && <span className={styles.active}>active</span>}
                {profile.stopped !== null && <Pill tone="bad" label="stopped" />}
              </span>
              <span className={cx(common.quiet, styles.facts)}>{accountWords(profile)}</span>
              <span className={cx(common.quiet, styles.facts)}>{profileSummary(profile)}</span>
            </ListLink>
          </li>
        ))}
      </ul>
      {liveAllowed && (
        <div className={styles.add}>
          <AddProfile kind="quiet" />
        </div>
      )}
    </nav>
  );
}
