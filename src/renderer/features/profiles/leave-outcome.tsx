import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { Banner, Button } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** How signing out ended, or why leaving was refused. */
export function LeaveOutcome({ id }: { id: string }): ReactElement | null {
  const { signedOut, refusal, dismiss } = useStore(profilesStore);
  const close = (
    <Button size="small" onClick={dismiss}>
      OK
    </Button>
  );
  if (signedOut?.id === id && signedOut.revoked) {
    return <Banner tone="good" title="Signed out. The service took the access back." actions={close} />;
  }
  if (signedOut?.id === id) {
    return (
      <Banner tone="warning" title="Signed out here; the service could not be told." actions={close}>
        Everything was forgotten on this computer. If it matters, take the access back on the service’s own
        pages.
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
