import { lazy, type ReactElement, Suspense } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { countRunning, shownPart } from '#renderer/stores/campaigns/selection.ts';
import { uiStore } from '#renderer/stores/ui.ts';

/** Opens the dialog of a timed pause for the selected campaigns in view, unless none of them runs. */
export function askPauseUntil(): void {
  const { selection, found, statuses, selecting, askUntil } = campaignsStore.getState();
  if (selecting || countRunning(shownPart(selection, found), statuses) === 0) return;
  const { route, navigate } = uiStore.getState();
  if (route.page !== 'campaigns') navigate({ page: 'campaigns', cid: null });
  askUntil(true);
}

const LazyDialog = lazy(async () => ({
  default: (await import('./pause/pause-until-dialog.tsx')).PauseUntilDialog,
}));

export function PauseUntil(): ReactElement | null {
  const isOpen = useStore(campaignsStore, (state) => state.asksUntil);
  if (!isOpen) return null;
  return (
    <Suspense>
      <LazyDialog />
    </Suspense>
  );
}
