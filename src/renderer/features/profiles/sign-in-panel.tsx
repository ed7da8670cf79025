import { signInStore } from '#renderer/stores/profiles/sign-in-store.ts';
import { Banner, Button, Countdown, common, cx, FailureBanner, Loading, pages } from '#renderer/ui/index.ts';
import type { SignInView } from '#shared/app-api/index.ts';
import { useEffect, useRef, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './profiles.module.css';
import { scopeChoices } from './profile-words.ts';
import { mayWords } from '#shared/wording/index.ts';

export function SignInPanel({ signIn }: { signIn: SignInView }): ReactElement {
  return (
    <div className={cx(common.stack2, pages.start, styles.panel)} aria-live="polite">
      <Stage signIn={signIn} />
    </div>
  );
}

function Stage({ signIn }: { signIn: SignInView }): ReactElement {
  switch (signIn.state) {
    case 'preparing':
      return <Preparing />;
    case 'waiting':
      return <Waiting signIn={signIn} />;
    case 'finishing':
      return <p>The browser has answered. Finishing the sign-in…</p>;
    case 'done':
      return (
        <Banner tone="good" title="You are signed in." actions={<Read />}>
          {mayWords(signIn.scopes)}
        </Banner>
      );
    case 'failed':
    case 'cancelled':
      return <NotDone signIn={signIn} />;
  }
}

function Preparing(): ReactElement {
  return (
    <>
      <p>Asking the service how to sign in…</p>
      <Loading widths={['48%', '32%']} />
      <Cancel />
    </>
  );
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
