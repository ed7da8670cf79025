import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Banner, Button, Card, ForeignText, Question } from '#renderer/ui/index.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
import { signOutWords } from './profile-words.ts';
import styles from './profiles.module.css';

export interface ProfileDetailProps {
  profile: ProfileDetail;
  /** True for the active profile. */
  current: boolean;
}

/** Sign out, which forgets the credentials, and remove, which forgets the profile. */
export function RemoveCard({ profile, current }: ProfileDetailProps): ReactElement {
  const doing = useStore(profilesStore, (state) => state.doing);
  const [asking, setAsking] = useState<'signOut' | 'remove' | null>(null);
  const { id, signIn, memberToken, publisherKey } = profile;
  const hasCredentials = [signIn.state, memberToken.state, publisherKey.state].some(
    (state) => state !== 'none',
  );

  async function remove(): Promise<void> {
    setAsking(null);
    const goOn = uiStore.getState().fromHere();
    const removed = await profilesStore.getState().remove(id);
    if (removed) goOn({ page: 'profiles', id: null });
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
          <Button disabled={doing !== null || !hasCredentials} onClick={() => setAsking('signOut')}>
            {doing?.kind === 'signOut' ? 'Signing out…' : 'Sign out…'}
          </Button>
          <Button disabled={doing !== null} onClick={() => setAsking('remove')}>
            {doing?.kind === 'remove' ? 'Removing…' : 'Remove profile…'}
          </Button>
        </>
      }
    >
      <p className={styles.detailSoft}>
        Signing out deletes the sign-in, token, key and loaded data. Addresses, proposals and the ledger stay.
      </p>
      <SignOutOutcome id={id} />
      {asking === 'signOut' && (
        <Question
          title="Sign out of this service?"
          stay="Stay signed in"
          goOn="Sign out"
          onStay={() => setAsking(null)}
          onGoOn={signOut}
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
          goOn="Remove profile"
          onStay={() => setAsking(null)}
          onGoOn={() => void remove()}
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

/** The result of signing out, or why it or the removal was refused. */
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
  return (
    <Banner tone="danger" title={failure.message} actions={close}>
      {failure.next}
    </Banner>
  );
}
