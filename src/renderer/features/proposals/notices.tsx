import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { proposalsStore } from '#renderer/stores/proposals/index.ts';
import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { ageText, Banner, Button, useNow } from '#renderer/ui/index.ts';

/** What stands above the lists: they may be old, or a read failed. */
export function Notices(): ReactElement | null {
  const { waiting, past, reload } = useStore(proposalsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const nowMs = useNow(5000);
  const failure = waiting.failure ?? past.failure;
  if (connection.kind === 'lost') {
    // On the desktop the window says it over every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        What you see was read before {ageText(connection.sinceMs, nowMs)}. Nothing can be decided until it is
        back; this page tries again by itself.
      </Banner>
    );
  }
  if (failure) {
    return (
      <Banner
        flush
        tone="warning"
        title={failure.message}
        actions={
          <Button size="small" icon="refresh" onClick={reload}>
            Try again
          </Button>
        }
      >
        {failure.next} Nothing was changed.
      </Banner>
    );
  }
  return null;
}
