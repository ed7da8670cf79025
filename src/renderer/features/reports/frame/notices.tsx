import { reportsStore } from '#renderer/stores/reports/index.ts';
import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { ageText, Banner, Button, FailureAction, useNow } from '#renderer/ui/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { keyStep } from './states.tsx';

/** What stands above figures that are old or not complete. Figures that never came have a state of their own. */
export function Notices(): ReactElement | null {
  const { head, failure, refresh, readMissing } = useStore(reportsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const nowMs = useNow(5000);
  if (head === null) return null;
  const { state } = head;
  const age = state.readAtMs === null ? '' : `The figures shown were read ${ageText(state.readAtMs, nowMs)}.`;
  if (connection.kind === 'lost') {
    // On the desktop the window says it over every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        {age} This page tries again by itself.
      </Banner>
    );
  }
  const failed = failure ?? state.failure;
  if (failed !== null && (failure !== null || state.readAtMs !== null)) {
    const action = (
      <FailureAction
        size="small"
        step={keyStep(failed.code)}
        href={routeHref({ page: 'profiles', id: profileId })}
        onRetry={refresh}
      />
    );
    return (
      <Banner flush tone="warning" icon="offline" title={failed.message} actions={action}>
        {age} {state.partial && 'Some days are missing.'} {failed.next}
      </Banner>
    );
  }
  if (state.state === 'cancelled' && state.partial && state.readAtMs !== null) {
    const action = (
      <Button size="small" onClick={readMissing}>
        Read the rest
      </Button>
    );
    return (
      <Banner flush tone="info" title="Reading was cancelled." actions={action}>
        These figures are partial: they count only the days that were read.
      </Banner>
    );
  }
  return null;
}
