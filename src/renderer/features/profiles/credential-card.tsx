import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import {
  useFormats,
  Button,
  Buttons,
  Card,
  Icon,
  Pill,
  SecretField,
  useNow,
  cx,
  common,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { CredentialName, ProfileDetail } from '#shared/app-api/index.ts';
import { credentialWords, expiryOf, otherKeyWords } from './profile-words.ts';
import styles from './profiles.module.css';

const texts: Record<CredentialName, { title: string; label: string; about: string }> = {
  memberToken: {
    title: 'Member token',
    label: 'Member access token',
    about: 'Opens the campaigns. Apps can’t sign in here: paste the token from the service’s website.',
  },
  publisherKey: {
    title: 'Publisher key',
    label: 'Publisher API key',
    about: 'Opens the publisher reports, read-only. Copy it from the API keys on the service’s website.',
  },
};

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
      aside={<Pill {...credentialWords[state]} hollow={state === 'none'} />}
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
      {forgetting && <FailureBanner failure={refusal.failure} />}
      <p className={common.soft}>{about}</p>
      {pasting && (
        <PasteForm
          id={profile.id}
          name={name}
          label={label}
          onSaved={() => setReplacing(false)}
          onCancel={replacing ? () => setReplacing(false) : null}
        />
      )}
      <SessionOnly />
    </Card>
  );
}

interface PasteFormProps {
  id: string;
  name: CredentialName;
  label: string;
  onSaved: () => void;
  onCancel: (() => void) | null;
}

/** Save clears the field even if the credential is refused. */
function PasteForm({ id, name, label, onSaved, onCancel }: PasteFormProps): ReactElement {
  const { doing, refusal } = useStore(profilesStore);
  const [value, setValue] = useState('');
  const keeping = doing?.kind === 'keep' && doing.id === id && doing.name === name;
  const refused = refusal?.of.kind === 'keep' && refusal.of.id === id && refusal.of.name === name;
  const failure = refused ? refusal.failure : null;
  const atField = failure?.fields.find(({ field }) => field === 'value')?.message;

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const secret = value.trim();
    if (secret === '' || doing) return;
    setValue('');
    if (await profilesStore.getState().keepCredential(id, name, secret)) onSaved();
  }

  return (
    <form
      className={cx(common.stack2, pages.start, styles.pasting)}
      onSubmit={(event) => void save(event)}
      noValidate
    >
      <SecretField
        label={label}
        value={value}
        disabled={keeping}
        limit="Sealed, never shown again, and sent to this service only."
        error={value === '' ? atField : undefined}
        onChange={setValue}
      />
      {failure && atField === undefined && (
        <FailureBanner failure={failure}>Nothing was stored.</FailureBanner>
      )}
      <Buttons>
        <Button type="submit" disabled={doing !== null || value.trim() === ''}>
          {keeping ? 'Asking the service…' : 'Save'}
        </Button>
        {onCancel && (
          <Button kind="quiet" disabled={keeping} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Buttons>
    </form>
  );
}

const everyMs = 10_000;

const looks = {
  unknown: common.soft,
  later: undefined,
  soon: styles.warning,
  past: cx(common.bad, common.medium),
};

export function ExpiryLine({ expiresAtMs }: { expiresAtMs: number | null }): ReactElement {
  const formats = useFormats();
  const nowMs = useNow(everyMs);
  const { kind, words } = expiryOf(expiresAtMs, nowMs, formats.shortMoment);
  return (
    <p className={looks[kind]} title={expiresAtMs === null ? undefined : formats.moment(expiresAtMs)}>
      {words}
    </p>
  );
}

export function SessionOnly(): ReactElement | null {
  const forgets = useStore(desktopStore, (state) => state.vault?.kind === 'session');
  if (!forgets) return null;
  return (
    <p className={cx(common.quiet, styles.note)}>
      <Icon name="lock" size={12} />
      Saved until you quit: this system’s vault cannot save it for longer.
    </p>
  );
}
