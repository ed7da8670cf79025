import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { limitsSentence } from '#renderer/stores/agents/guardrail-words.ts';
import { limitsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Banner,
  Button,
  Buttons,
  Card,
  Cards,
  DefinitionList,
  ProfileSign,
  Spread,
} from '#renderer/ui/index.ts';
import type { ProfileDetail, ProfileInput } from '#shared/app-api/index.ts';
import { CredentialCard } from './credential-card.tsx';
import { accountWords, forgetsCredentials, inputOf } from './profile-words.ts';
import { RemoveCard, type ProfileDetailProps } from './remove-card.tsx';
import styles from './profiles.module.css';
import { ProfileForm } from './profile-form.tsx';
import { RemoteToolsCard } from './remote-tools-card.tsx';

/** One profile: its service, its credentials, and its removal. */
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
  /** Null where nothing can be edited. */
  onEdit: (() => void) | null;
}

function Head({ profile, current, onEdit }: HeadProps): ReactElement {
  const doing = useStore(profilesStore, (state) => state.doing);
  const { id, kind, name, zone } = profile;
  return (
    <header className={styles.detailHead}>
      <Spread>
        <h2 className={styles.title}>
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
      <p className={styles.detailSoft}>
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

/** The limits of agents in this profile, in one sentence, and where they are changed. */
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
      <h2 className={styles.title}>
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

/** Where the service answers, and in which zone its days are counted. */
function ServiceCard({ profile }: { profile: ProfileDetail }): ReactElement {
  const { addresses, zone } = profile;
  return (
    <Card title="Service">
      <DefinitionList
        items={[
          { key: 'mcpUrl', term: 'Tools', value: addresses.mcpUrl },
          { key: 'baseUrl', term: 'Members', value: addresses.baseUrl },
          { key: 'apiUrl', term: 'Publishers', value: addresses.apiUrl },
          { key: 'account', term: 'Account', value: accountWords(profile) },
          { key: 'zone', term: 'Days are counted in', value: zone },
        ]}
      />
    </Card>
  );
}
