import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { Banner, Button, Card, Pill } from '#renderer/ui/index.ts';
import type { CredentialName, ProfileDetail } from '#shared/app-api/index.ts';
import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { ExpiryLine } from './expiry-line.tsx';
import { PasteForm } from './paste-form.tsx';
import styles from './profiles.module.css';
import { keptState, otherKeyWords } from './profile-words.ts';
import { SessionOnly } from './session-only.tsx';

const texts: Record<CredentialName, { title: string; label: string; about: string }> = {
  memberToken: {
    title: 'Member token',
    label: 'Member access token',
    about:
      'Opens the campaigns. Sign in as the member on the service’s own website and copy the access token from there; apps can’t sign in here, so paste the token.',
  },
  publisherKey: {
    title: 'Publisher key',
    label: 'Publisher API key',
    about:
      'Opens statistics and search reports, by reading only. Copy it from the publisher’s API keys on the service’s own website; without it the reports stay empty.',
  },
};

/** One pasted credential: whether there is one, until when, and how to give, replace or forget it. */
export function CredentialCard(props: { profile: ProfileDetail; name: CredentialName }): ReactElement {
  const { profile, name } = props;
  const { doing, refusal } = useStore(profilesStore);
  const [replacing, setReplacing] = useState(false);
  const { state } = profile[name];
  const { title, label, about } = texts[name];
  const pasting = state !== 'held' || replacing;
  const forgetting =
    refusal?.of.kind === 'forget' && refusal.of.id === profile.id && refusal.of.name === name;
  return (
    <Card
      title={title}
      aside={<Pill {...keptState(state)} hollow={state === 'none'} />}
      actions={
        state === 'held' && !replacing ? (
          <>
            <Button disabled={doing !== null} onClick={() => setReplacing(true)}>
              Replace…
            </Button>
            <Button
              kind="quiet"
              disabled={doing !== null}
              onClick={() => void profilesStore.getState().forgetCredential(profile.id, name)}
            >
              Forget
            </Button>
          </>
        ) : undefined
      }
    >
      {state === 'other-key' && (
        <p className={styles.warning}>{otherKeyWords} Paste it again to use it now.</p>
      )}
      {state === 'held' && name === 'memberToken' && (
        <ExpiryLine expiresAtMs={profile.memberToken.expiresAtMs} />
      )}
      {forgetting && (
        <Banner tone="danger" title={refusal.failure.message}>
          {refusal.failure.next}
        </Banner>
      )}
      <p className={styles.detailSoft}>{about}</p>
      {pasting && (
        <PasteForm
          id={profile.id}
          name={name}
          label={label}
          onKept={() => setReplacing(false)}
          onCancel={replacing ? () => setReplacing(false) : null}
        />
      )}
      <SessionOnly />
    </Card>
  );
}
