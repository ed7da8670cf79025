import { campaignsStore, oldestReadMs } from '#renderer/stores/campaigns/index.ts';
import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { profileStep, sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { ageText, Banner, FailureAction, useNow } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** What stands above rows that may be old: no connection, or a read that failed. Empty-handed failures have their own page. */
export function Notices(): ReactElement | null {
  const { list, failure, kept, reload } = useStore(campaignsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const step = useStore(sessionStore, (state) => profileStep(state, kept ? null : (failure?.code ?? null)));
  const nowMs = useNow(5000);
  const readAtMs = list ? oldestReadMs(list) : null;
  if (readAtMs === null) return null;
  const age = `These rows were read ${ageText(readAtMs, nowMs)}.`;
  if (connection.kind === 'lost') {
    // On the desktop the window says it over every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        {age} Nothing can be changed until it is back; this page tries again by itself.
      </Banner>
    );
  }
  if (!failure && !kept) return null;
  const retry = (
    <FailureAction
      size="small"
      step={step}
      href={routeHref({ page: 'profiles', id: profileId })}
      onRetry={reload}
    />
  );
  return (
    <Banner
      flush
      tone="warning"
      icon="offline"
      title={kept?.because ?? failure?.message ?? ''}
      actions={retry}
    >
      {kept
        ? `Changes are off. You see loaded campaigns, the oldest read ${ageText(readAtMs, nowMs)}. Search covers loaded campaigns only.`
        : `${age} ${failure?.next ?? ''}`}
    </Banner>
  );
}
