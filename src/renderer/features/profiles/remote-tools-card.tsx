import { type ReactElement, useState } from 'react';
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
  Pill,
  useNow,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { ExtraScope, ProfileDetail } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { ExpiryLine, SessionOnly } from './credential-card.tsx';
import styles from './profiles.module.css';
import { missingScopes, otherKeyWords, remoteState, scopeChoices, withScope } from './profile-words.ts';
import { SignInPanel } from './sign-in-panel.tsx';
import { mayWords } from '#shared/wording/index.ts';

/** A token’s end is seen within this time, in milliseconds. */
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
    return <p className={styles.detailSoft}>The member token opens the tools. Paste it below.</p>;
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
  if (mine) return <SignInPanel signIn={mine} />;
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
          <span>{mayWords(scopes)}</span>
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
        <p className={styles.detailSoft}>
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

/** One sign-in at a time. */
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
  /** Scopes granted already; they are requested again, so that none is lost. */
  granted: readonly string[];
  /** True where a person signed in already and wants more. */
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
