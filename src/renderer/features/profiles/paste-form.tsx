import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { Banner, Button, Buttons, SecretField } from '#renderer/ui/index.ts';
import type { CredentialName } from '#shared/app-api/index.ts';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './profiles.module.css';

export interface PasteFormProps {
  id: string;
  name: CredentialName;
  label: string;
  onKept: () => void;
  /** Null where there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** A secret on its way in: it leaves the page with Save and is not kept here, whatever the answer is. */
export function PasteForm({ id, name, label, onKept, onCancel }: PasteFormProps): ReactElement {
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
    if (await profilesStore.getState().keepCredential(id, name, secret)) onKept();
  }

  return (
    <form className={styles.pasting} onSubmit={(event) => void save(event)} noValidate>
      <SecretField
        label={label}
        value={value}
        disabled={keeping}
        limit="Paste it here. It is sealed, never shown again, and sent to this service only."
        error={value === '' ? atField : undefined}
        onChange={setValue}
      />
      {failure && atField === undefined && (
        <Banner tone="danger" title={failure.message}>
          {failure.next} Nothing was stored.
        </Banner>
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
