import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { countRunning, shownPart } from '#renderer/stores/campaigns/selection.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { common, Dialog, useFormats, useNow } from '#renderer/ui/index.ts';
import { ReturnTimes } from '#renderer/ui/report/index.ts';

async function propose(returnAtMs: number): Promise<void> {
  const id = await campaignsStore.getState().proposePauseUntil(returnAtMs);
  if (id === null) return;
  uiStore.getState().requestFocus('list');
  await reviewStore.getState().review(id);
}

export function PauseUntilDialog(): ReactElement {
  const formats = useFormats();
  const { selection, found, statuses, askUntil } = useStore(campaignsStore);
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  const shown = shownPart(selection, found);
  const count = countRunning(shown, statuses) ?? shown.cids.size;
  return (
    <Dialog
      title={`Pause ${formats.counted(count, 'running campaign')} until…`}
      onClose={() => askUntil(false)}
    >
      <div className={common.stack4}>
        <p className={common.soft}>Countersign then asks you to return them to their statuses of now.</p>
        <ReturnTimes
          nowMs={nowMs}
          zone={zone}
          verb="Review pause"
          disabled={count === 0}
          onChoose={(atMs) => void propose(atMs)}
        />
      </div>
    </Dialog>
  );
}
