import { type FormEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  addressesOfOrigin,
  profilesStore,
  withToolsAddress,
} from '#renderer/stores/profiles/profiles-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Banner, Button, Cards, LinkButton, RadioGroup, TextField, common, cx } from '#renderer/ui/index.ts';
import type { ProfileInput, ServiceAddresses } from '#shared/app-api/index.ts';
import { emptyInput } from './profile-words.ts';
import styles from './profiles.module.css';

export function NewProfile(): ReactElement {
  const { navigate, fromHere } = uiStore.getState();
  return (
    <Cards>
      <header className={common.stack2}>
        <h2 className={styles.title}>Add a profile</h2>
        <p className={styles.lead}>
          The service’s operator gives you its three addresses. Nothing is sent until you sign in or paste a
          token.
        </p>
      </header>
      <ProfileForm
        initial={emptyInput}
        fills
        saveWord="Add profile"
        onCancel={() => navigate({ page: 'profiles', id: null })}
        onSave={async (input) => {
          const goOn = fromHere();
          const id = await profilesStore.getState().add(input);
          if (id !== null) goOn({ page: 'profiles', id });
        }}
      />
    </Cards>
  );
}

interface ProfileFormProps {
  initial: ProfileInput;
  /** The tools address fills the other addresses until they are typed. */
  fills?: boolean;
  saveWord: string;
  warning?: (input: ProfileInput) => ReactNode;
  onSave: (input: ProfileInput) => Promise<void>;
  onCancel: () => void;
}

const systemZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const modes: { id: ProfileInput['remoteAccess']; label: string; hint: string }[] = [
  { id: 'oauth', label: 'Sign in through the browser', hint: 'Recommended; access can be revoked.' },
  {
    id: 'direct-jwt',
    label: 'Use the member token',
    hint: 'Only if the service accepts it. You replace it when it expires.',
  },
];

export function ProfileForm(props: ProfileFormProps): ReactElement {
  const { initial, fills = false, saveWord, warning, onSave, onCancel } = props;
  const { doing, refusal } = useStore(profilesStore);
  const [input, setInput] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const refused = refusal?.of.kind === 'add' || refusal?.of.kind === 'edit' ? refusal.failure : null;
  useEffect(() => () => profilesStore.getState().dismiss(), []);
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refused]);

  function change(next: Partial<ProfileInput>): void {
    setInput({ ...input, ...next });
    setTouched(new Set([...touched, ...Object.keys(next)]));
  }
  const errorAt = (field: string): string | undefined =>
    touched.has(field) ? undefined : refused?.fields.find((error) => error.field === field)?.message;

  function save(event: FormEvent): void {
    event.preventDefault();
    if (doing) return;
    setTouched(new Set());
    void onSave(input);
  }

  const warned = warning?.(input);
  return (
    <form ref={form} className={cx(common.stack4, styles.form)} onSubmit={save} noValidate>
      {refused && refused.fields.length === 0 && (
        <Banner tone="danger" title={refused.message}>
          {refused.next} Nothing was stored.
        </Banner>
      )}
      <TextField
        label="Name"
        value={input.name}
        limit="For example Acme Media"
        error={errorAt('name')}
        autoFocus
        onChange={(name) => change({ name })}
      />
      <AddressFields
        addresses={input}
        fills={fills}
        errorAt={errorAt}
        onChange={change}
        onTools={(typed) => change(fills ? withToolsAddress(input, typed) : { mcpUrl: typed })}
      />
      <TextField
        label="Service-day zone"
        value={input.zone}
        limit="The service counts days in this zone"
        error={errorAt('zone')}
        note={<ZoneOffer zone={input.zone} onTake={(zone) => change({ zone })} />}
        onChange={(zone) => change({ zone })}
      />
      <RadioGroup
        label="Remote tools"
        value={input.remoteAccess}
        options={modes}
        onChange={(id) => {
          const mode = modes.find((one) => one.id === id);
          if (mode) change({ remoteAccess: mode.id });
        }}
      />
      <div className={cx(common.stack3, styles.foot)}>
        {warned}
        <div className={styles.actions}>
          <Button type="submit" kind="primary" disabled={doing !== null}>
            {doing?.kind === 'add' || doing?.kind === 'edit' ? 'Checking…' : saveWord}
          </Button>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </form>
  );
}

function ZoneOffer(props: { zone: string; onTake: (zone: string) => void }): ReactElement {
  const offers = [...new Set(['UTC', systemZone])].filter((zone) => zone !== props.zone);
  return (
    <span className={styles.offers}>
      {offers.map((zone) => (
        <LinkButton key={zone} onClick={() => props.onTake(zone)}>
          {zone === 'UTC' ? 'UTC' : `${zone}, as this computer`}
        </LinkButton>
      ))}
    </span>
  );
}

interface AddressFieldsProps {
  addresses: ServiceAddresses;
  fills: boolean;
  errorAt: (field: string) => string | undefined;
  onChange: (change: Partial<ServiceAddresses>) => void;
  onTools: (typed: string) => void;
}

function AddressFields(props: AddressFieldsProps): ReactElement {
  const { addresses, fills, errorAt, onChange, onTools } = props;
  const filled = fills ? addressesOfOrigin(addresses.mcpUrl) : null;
  const note = (field: 'baseUrl' | 'apiUrl'): string | undefined =>
    filled?.[field] === addresses[field] ? 'filled from the tools address' : undefined;
  return (
    <>
      <TextField
        label="Tools address"
        value={addresses.mcpUrl}
        placeholder="https://tools.example.com"
        limit="An origin, without /mcp"
        error={errorAt('mcpUrl')}
        onChange={onTools}
      />
      <TextField
        label="Member address"
        value={addresses.baseUrl}
        placeholder="https://members.example.com/api/v1"
        limit="For campaigns; ends in /api/v1"
        error={errorAt('baseUrl')}
        note={note('baseUrl')}
        onChange={(baseUrl) => onChange({ baseUrl })}
      />
      <TextField
        label="Publisher address"
        value={addresses.apiUrl}
        placeholder="https://api.example.com"
        limit="For publisher reports; an origin"
        error={errorAt('apiUrl')}
        note={note('apiUrl')}
        onChange={(apiUrl) => onChange({ apiUrl })}
      />
    </>
  );
}
