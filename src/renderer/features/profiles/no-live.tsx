import { newProfile, uiStore } from '#renderer/stores/ui/index.ts';
import { Button, EmptyState } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';

/** Nothing but Demo yet: what a profile is, and the one thing to do. */
export function NoLive({ liveAllowed }: { liveAllowed: boolean }): ReactElement {
  if (!liveAllowed) {
    return (
      <EmptyState icon="profiles" title="Demo only">
        Live profiles work in the desktop app only: it keeps sign-ins in the system’s vault, and nothing but
        its own window can answer a confirmation.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="profiles"
      title="Connect a live service"
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => uiStore.getState().navigate({ page: 'profiles', id: newProfile })}
        >
          Add a profile
        </Button>
      }
    >
      A profile is one service that you work with: its addresses, its sign-in and its account. Demo stays
      beside it, so you can always practise.
    </EmptyState>
  );
}
