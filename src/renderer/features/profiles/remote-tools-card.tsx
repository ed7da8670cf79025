import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { isUnderWay, signInStore } from '#renderer/stores/profiles/sign-in-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  Buttons,
  Card,
  Checkbox,
  Countdown,
  Loading,
  Pill,
  useNow,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { ExtraScope, ProfileDetail, SignInView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { ExpiryLine, SessionOnly } from './credential-card.tsx';
import styles from './profiles.module.css';
import { missingScopes, otherKeyWords, remoteState, scopeChoices, withScope } from './profile-words.ts';
import { scopesText } from '#shared/wording/index.ts';

const stateEveryMs = 10_000;

export function RemoteToolsCard({ profile }: { profile: ProfileDetail }): ReactElement {
  const state = remoteState(profile, useNow(stateEveryMs));
  return (
    <Card title="Remote tools" aside={<Pill {...state} hollow={state.tone === 'neutral'} />}>
      {profile.remoteAccess === 'oauth' ? (
        <>
          <BySignIn profile={profile} />
          <SessionOnly />
        </>
      ) : (
        <ByToken profile={profile} />
      )}
    </Card>
  );
}

function ByToken({ profile }: { profile: ProfileDetail }): ReactElement {
  const { state, expiresAtMs } = profile.memberToken;
  if (state !== 'held') {
    return <p className={common.soft}>The member token opens the tools. Paste it below.</p>;
  }
  return (
    <>
      <p>Opened by the member token below.</p>
      <ExpiryLine expiresAtMs={expiresAtMs} />
    </>
  );
}

function BySignIn({ profile }: { profile: ProfileDetail }): ReactElement {
  const { signIn, refusal } = useStore(signInStore);
  const [choosing, setChoosing] = useState(false);
  const mine = signIn?.profileId === profile.id ? signIn : null;
  if (mine) {
    return (
      <div className={cx(common.stack2, pages.start, styles.panel)} aria-live="polite">
        <Stage signIn={mine} />
      </div>
    );
  }
  const failure = refusal?.profileId === profile.id ? refusal.failure : null;
  return (
    <>
      <SignInSummary signIn={profile.signIn} />
      {failure && <FailureBanner failure={failure} />}
      {isUnderWay(signIn) ? (
        <Elsewhere profileId={signIn?.profileId ?? ''} />
      ) : choosing ? (
        <ScopeChoice
          granted={profile.signIn.state === 'held' ? profile.signIn.scopes : []}
          stepUp={profile.signIn.state === 'held'}
          onCancel={() => setChoosing(false)}
          onGo={(scopes) => {
            setChoosing(false);
            void signInStore.getState().begin(profile.id, scopes);
          }}
        />
      ) : (
        <SignInChoices signIn={profile.signIn} onChoose={() => setChoosing(true)} />
      )}
    </>
  );
}

function SignInSummary({ signIn }: { signIn: ProfileDetail['signIn'] }): ReactElement {
  const formats = useFormats();
  const { state, scopes, signedInAtMs } = signIn;
  switch (state) {
    case 'held':
      return (
        <p>
          {signedInAtMs !== null && (
            <span title={formats.moment(signedInAtMs)}>
              Signed in since {formats.shortMoment(signedInAtMs, Date.now())}.{' '}
            </span>
          )}
          <span>{scopesText(scopes)}</span>
        </p>
      );
    case 'ended':
      return (
        <p className={styles.warning}>The sign-in has ended. Nothing is sent until you sign in again.</p>
      );
    case 'other-key':
      return <p className={styles.warning}>{otherKeyWords} Sign in again to use the tools now.</p>;
    case 'none':
      return (
        <p className={common.soft}>
          You sign in on the service’s own page, in your browser. Countersign never sees your password.
        </p>
      );
  }
}

function SignInChoices(props: {
  signIn: ProfileDetail['signIn'];
  onChoose: () => void;
}): ReactElement | null {
  const { state, scopes } = props.signIn;
  const missing = missingScopes(scopes);
  if (state === 'held') {
    if (missing.length === 0) return null;
    return (
      <Buttons>
        <Button onClick={props.onChoose}>
          {missing.includes('svc:write') ? 'Allow changes…' : 'Allow more…'}
        </Button>
      </Buttons>
    );
  }
  return (
    <Buttons>
      <Button kind="primary" onClick={props.onChoose}>
        {state === 'none' ? 'Sign in…' : 'Sign in again…'}
      </Button>
    </Buttons>
  );
}

function Elsewhere({ profileId }: { profileId: string }): ReactElement {
  const name = useStore(profilesStore, ({ list }) => list?.items.find(({ id }) => id === profileId)?.name);
  return (
    <Banner
      tone="info"
      title={`A sign-in to ${name === undefined ? 'another profile' : quoted(name)} is under way.`}
      actions={
        <Button size="small" onClick={() => void signInStore.getState().cancel()}>
          Cancel it
        </Button>
      }
    >
      Finish it in the browser first.
    </Banner>
  );
}

interface ScopeChoiceProps {
  /** The granted scopes. A new sign-in requests them again, because it would lose them otherwise. */
  granted: readonly string[];
  stepUp: boolean;
  onGo: (scopes: ExtraScope[]) => void;
  onCancel: () => void;
}

function ScopeChoice({ granted, stepUp, onGo, onCancel }: ScopeChoiceProps): ReactElement {
  const [chosen, setChosen] = useState<readonly ExtraScope[]>([]);
  const missing = missingScopes(granted);
  return (
    <div className={cx(common.stack2, pages.start)}>
      <p>
        {stepUp ? 'You sign in again in the browser. Also allow:' : 'The sign-in allows reading. Also allow:'}
      </p>
      {scopeChoices
        .filter(({ scope }) => missing.includes(scope))
        .map(({ scope, label, means }) => (
          <Checkbox
            key={scope}
            label={label}
            hint={means}
            checked={chosen.includes(scope)}
            onChange={(on) => setChosen(withScope(chosen, { scope, on, granted }))}
          />
        ))}
      <Buttons>
        <Button
          kind="primary"
          icon="external"
          disabled={stepUp && chosen.length === 0}
          onClick={() => onGo([...chosen])}
        >
          Continue in the browser
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </Buttons>
    </div>
  );
}

function Stage({ signIn }: { signIn: SignInView }): ReactElement {
  switch (signIn.state) {
    case 'preparing':
      return (
        <>
          <p>Asking the service how to sign in…</p>
          <Loading widths={['48%', '32%']} />
          <Cancel />
        </>
      );
    case 'waiting':
      return <Waiting signIn={signIn} />;
    case 'finishing':
      return <p>The browser has answered. Finishing the sign-in…</p>;
    case 'done':
      return (
        <Banner tone="good" title="You are signed in." actions={<Read />}>
          {scopesText(signIn.scopes)}
        </Banner>
      );
    case 'failed':
    case 'cancelled':
      return <NotDone signIn={signIn} />;
  }
}

function Waiting({ signIn }: { signIn: SignInView }): ReactElement {
  const { copied, refusal, openAgain, copyAddress } = useStore(signInStore);
  const { address } = signIn;
  const closed = signIn.opened === false;
  const copy = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (closed) copy.current?.focus();
  }, [closed]);
  const copyIt = (
    <Button
      ref={copy}
      kind={closed ? 'primary' : 'secondary'}
      icon={copied === address ? 'check' : 'copy'}
      onClick={() => void copyAddress()}
    >
      {copied === address ? 'Address copied' : 'Copy address'}
    </Button>
  );
  const openIt = (
    <Button icon="external" onClick={() => void openAgain()}>
      {closed ? 'Try to open it' : 'Open again'}
    </Button>
  );
  return (
    <>
      <p className={common.strong}>{closed ? 'No browser opened.' : 'Finish in your browser.'}</p>
      <p className={common.soft}>
        {closed
          ? 'Copy the address and open it in a browser on this computer. '
          : 'The service asks what you allow there, then returns here. '}
        {signIn.endsAtMs !== null && (
          <>
            <span>Time left: </span>
            <Countdown untilMs={signIn.endsAtMs} />
          </>
        )}
      </p>
      <span className={cx(common.wrap2, styles.buttons)}>
        {closed && copyIt}
        {openIt}
        {!closed && copyIt}
        <Cancel />
      </span>
      {refusal && <FailureBanner tone="warning" failure={refusal.failure} />}
    </>
  );
}

function NotDone({ signIn }: { signIn: SignInView }): ReactElement {
  const { begin } = signInStore.getState();
  const { failure, profileId, scopes } = signIn;
  const wanted = scopeChoices.map(({ scope }) => scope).filter((scope) => scopes.includes(scope));
  return (
    <Banner
      tone={signIn.state === 'failed' ? 'danger' : 'info'}
      title={failure?.message ?? 'The sign-in was cancelled.'}
      actions={
        <>
          <Button size="small" icon="refresh" onClick={() => void begin(profileId, wanted)}>
            Try again
          </Button>
          <Read />
        </>
      }
    >
      {failure?.next}
    </Banner>
  );
}

function Cancel(): ReactElement {
  return (
    <Button kind="quiet" onClick={() => void signInStore.getState().cancel()}>
      Cancel
    </Button>
  );
}

function Read(): ReactElement {
  return (
    <Button size="small" onClick={() => signInStore.getState().dismiss()}>
      OK
    </Button>
  );
}
