import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { Banner } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { whatIsSafe } from './what-is-safe.ts';

/** Over every page of the desktop while its core is away: what happened, what is safe, and that it comes back by itself. */
export function LostBanner(): ReactElement | null {
  const present = useStore(desktopStore, (state) => state.present);
  const lost = useStore(sessionStore, (state) => state.connection.kind === 'lost');
  if (!present || !lost) return null;
  return (
    <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
      Its core ended and starts again by itself. {whatIsSafe} You can go on reading; nothing can be changed
      until it is back.
    </Banner>
  );
}
