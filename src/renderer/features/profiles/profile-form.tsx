import { type FormEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  addressesOfOrigin,
  profilesStore,
  withToolsAddress,
} from '#renderer/stores/profiles/profiles-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Banner,
  Button,
  Cards,
  LinkButton,
  RadioGroup,
  TextField,
  common,
  pages,
  cx,
} from '#renderer/ui/index.ts';
import type { ProfileInput } from '#shared/app-api/index.ts';
import { emptyInput } from './profile-words.ts';
import styles from './profiles.module.css';

export function NewProfile(): ReactElement {
  const { navigate, fromHere } = uiStore.getState();
  return (
    <Cards>
      <header className={common.stack2}>
        <h2 className={cx(pages.title, styles.title)}>Add a profile</h2>
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
  const field = (name: Exclude<keyof ProfileInput, 'remoteAccess'>) => ({
    value: input[name],
    error: touched.has(name) ? undefined : refused?.fields.find((error) => error.field === name)?.message,
    onChange: (value: string) => change({ [name]: value }),
  });
  const filled = fills ? addressesOfOrigin(input.mcpUrl) : null;
  const filledNote = (name: 'baseUrl' | 'apiUrl'): string | undefined =>
    filled?.[name] === input[name] ? 'filled from the tools address' : undefined;

  function save(event: FormEvent): void {
    event.preventDefault();
    if (doing) return;
    setTouched(new Set());
    void onSave(input);
  }

  return (
    <form ref={form} className={cx(common.stack4, styles.form)} onSubmit={save} noValidate>
      {refused && refused.fields.length === 0 && (
        <Banner tone="danger" title={refused.message}>
          {refused.next} Nothing was stored.
        </Banner>
      )}
      <TextField label="Name" limit="For example Acme Media" autoFocus {...field('name')} />
      <TextField
        label="Tools address"
        placeholder="https://tools.example.com"
        limit="An origin, without /mcp"
        {...field('mcpUrl')}
        onChange={(typed) => change(fills ? withToolsAddress(input, typed) : { mcpUrl: typed })}
      />
      <TextField
        label="Member address"
        placeholder="https://members.example.com/api/v1"
        limit="For campaigns; ends in /api/v1"
        note={filledNote('baseUrl')}
        {...field('baseUrl')}
      />
      <TextField
        label="Publisher address"
        placeholder="https://api.example.com"
        limit="For publisher reports; an origin"
        note={filledNote('apiUrl')}
        {...field('apiUrl')}
      />
      <TextField
        label="Service-day zone"
        limit="The service counts days in this zone"
        note={<ZoneOffer zone={input.zone} onTake={(zone) => change({ zone })} />}
        {...field('zone')}
      />
      <RadioGroup
        label="Remote tools"
        value={input.remoteAccess}
        options={modes}
        onChange={(id) => change({ remoteAccess: id as ProfileInput['remoteAccess'] })}
      />
      <div className={cx(common.stack3, styles.foot)}>
        {warning?.(input)}
        <div className={common.row2}>
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
