import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { limitsSentence } from '#renderer/stores/agents/guardrails-form.ts';
import { limitsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  useFormats,
  Banner,
  Button,
  Buttons,
  Card,
  Cards,
  DefinitionList,
  ProfileSign,
  Spread,
  ForeignText,
  Question,
  common,
  pages,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { ProfileDetail, ProfileInput } from '#shared/app-api/index.ts';
import { CredentialCard } from './credential-card.tsx';
import { accountWords, forgetsCredentials, hasCredentials, inputOf, signOutWords } from './profile-words.ts';
import styles from './profiles.module.css';
import { ProfileForm } from './profile-form.tsx';
import { RemoteToolsCard } from './remote-tools-card.tsx';
import { uiStore } from '#renderer/stores/ui.ts';

export function ProfileDetailView({ profile, current }: ProfileDetailProps): ReactElement {
  const [editing, setEditing] = useState(false);
  const live = profile.kind === 'live';
  if (editing) return <Editing profile={profile} current={current} onDone={() => setEditing(false)} />;
  return (
    <Cards>
      <Head profile={profile} current={current} onEdit={live ? () => setEditing(true) : null} />
      {profile.stopped && (
        <Banner tone="danger" icon="lock" title={profile.stopped.message}>
          {profile.stopped.next} Nothing is sent to this service meanwhile.
        </Banner>
      )}
      <LimitsNote profile={profile} />
      {live && (
        <>
          <RemoteToolsCard profile={profile} />
          <CredentialCard profile={profile} name="memberToken" />
          <CredentialCard profile={profile} name="publisherKey" />
        </>
      )}
      <ServiceCard profile={profile} />
      {live && <RemoveCard profile={profile} current={current} />}
    </Cards>
  );
}

interface HeadProps extends ProfileDetailProps {
  onEdit: (() => void) | null;
}

function Head({ profile, current, onEdit }: HeadProps): ReactElement {
  const doing = useStore(profilesStore, (state) => state.doing);
  const { id, kind, name, zone } = profile;
  return (
    <header className={common.stack2}>
      <Spread>
        <h2 className={cx(pages.title, styles.title)}>
          <ProfileSign kind={kind} name={name} />
        </h2>
        <Buttons>
          {!current && profile.stopped === null && (
            <Button
              kind="primary"
              disabled={doing !== null}
              onClick={() => void profilesStore.getState().switchTo(id)}
            >
              Switch to this profile
            </Button>
          )}
          {onEdit && <Button onClick={onEdit}>Edit…</Button>}
        </Buttons>
      </Spread>
      <p className={common.soft}>
        {accountWords(profile)} · days in {zone}
        {current && <span> · active</span>}
        <span> · </span>
        <a href={routeHref({ page: 'doctor', profileId: id })}>Run the doctor</a>
      </p>
      {kind === 'demo' && (
        <p className={styles.lead}>
          A complete service on this computer. It works offline, and its campaigns cost nothing.
        </p>
      )}
    </header>
  );
}

function LimitsNote({ profile: { id, kind } }: { profile: ProfileDetail }): ReactElement | null {
  const formats = useFormats();
  const guardrails = useStore(limitsStore, ({ limits }) => limits[id]);
  const { read } = limitsStore.getState();
  useEffect(() => void read(id), [id, read]);
  if (guardrails === undefined) return null;
  return (
    <p className={styles.lead}>
      {limitsSentence(guardrails, kind, formats)} <a href={routeHref({ page: 'agents' })}>Change limits</a>
    </p>
  );
}

function Editing(props: ProfileDetailProps & { onDone: () => void }): ReactElement {
  const { profile, current, onDone } = props;
  const warning = (input: ProfileInput): ReactElement | null =>
    forgetsCredentials(profile, input) ? (
      <Banner tone="warning" title="Other addresses mean another service.">
        Saving deletes this profile’s sign-in, token, key and loaded data.
        {current && <span> The window reloads without its drafts.</span>}
      </Banner>
    ) : null;
  return (
    <Cards>
      <h2 className={cx(pages.title, styles.title)}>
        <ProfileSign kind={profile.kind} name={profile.name} />
      </h2>
      <ProfileForm
        initial={inputOf(profile)}
        saveWord="Save"
        warning={warning}
        onCancel={onDone}
        onSave={async (input) => {
          if (await profilesStore.getState().edit(profile.id, input)) onDone();
        }}
      />
    </Cards>
  );
}

function ServiceCard({ profile }: { profile: ProfileDetail }): ReactElement {
  const { mcpUrl, baseUrl, apiUrl } = profile.addresses;
  return (
    <Card title="Service">
      <DefinitionList
        items={Object.entries({
          Tools: mcpUrl,
          Members: baseUrl,
          Publishers: apiUrl,
          Account: accountWords(profile),
          'Days are counted in': profile.zone,
        }).map(([term, value]) => ({ key: term, term, value }))}
      />
    </Card>
  );
}

interface ProfileDetailProps {
  profile: ProfileDetail;
  current: boolean;
}

function RemoveCard({ profile, current }: ProfileDetailProps): ReactElement {
  const doing = useStore(profilesStore, (state) => state.doing);
  const [asking, setAsking] = useState<'signOut' | 'remove' | null>(null);
  const { id } = profile;

  async function remove(): Promise<void> {
    setAsking(null);
    const navigate = uiStore.getState().fromHere();
    const removed = await profilesStore.getState().remove(id);
    if (removed) navigate({ page: 'profiles', id: null });
  }
  function signOut(): void {
    setAsking(null);
    void profilesStore.getState().signOut(id);
  }

  return (
    <Card
      title="Sign out and remove"
      actions={
        <>
          <Button disabled={doing !== null || !hasCredentials(profile)} onClick={() => setAsking('signOut')}>
            {doing?.kind === 'signOut' ? 'Signing out…' : 'Sign out…'}
          </Button>
          <Button disabled={doing !== null} onClick={() => setAsking('remove')}>
            {doing?.kind === 'remove' ? 'Removing…' : 'Remove profile…'}
          </Button>
        </>
      }
    >
      <p className={common.soft}>
        Signing out deletes the sign-in, token, key and loaded data. Addresses, proposals and the ledger stay.
      </p>
      <SignOutOutcome id={id} />
      {asking === 'signOut' && (
        <Question
          title="Sign out of this service?"
          stay="Stay signed in"
          confirmLabel="Sign out"
          onStay={() => setAsking(null)}
          onConfirm={signOut}
        >
          <p>
            The sign-in, token, key and loaded campaigns are deleted here, even if the service cannot be
            reached to revoke the access.
          </p>
        </Question>
      )}
      {asking === 'remove' && (
        <Question
          title="Remove this profile?"
          stay="Keep it"
          confirmLabel="Remove profile"
          onStay={() => setAsking(null)}
          onConfirm={() => void remove()}
        >
          <p>
            <ForeignText text={profile.name} /> is signed out and its addresses are deleted. Its proposals and
            ledger rows stay.
            {current && <span> The window goes back to Demo, and its drafts are lost.</span>}
          </p>
        </Question>
      )}
    </Card>
  );
}

function SignOutOutcome({ id }: { id: string }): ReactElement | null {
  const { signedOut, refusal, dismiss } = useStore(profilesStore);
  const close = (
    <Button size="small" onClick={dismiss}>
      OK
    </Button>
  );
  if (signedOut?.id === id) {
    const { title, isSafe } = signOutWords(signedOut.revocation);
    if (isSafe) return <Banner tone="good" title={title} actions={close} />;
    return (
      <Banner tone="warning" title={title} actions={close}>
        Everything was deleted on this computer. To be sure, revoke the access on the service’s website.
      </Banner>
    );
  }
  const { of, failure } = refusal ?? {};
  if ((of?.kind !== 'signOut' && of?.kind !== 'remove') || of.id !== id || !failure) return null;
  return <FailureBanner failure={failure} actions={close} />;
}
