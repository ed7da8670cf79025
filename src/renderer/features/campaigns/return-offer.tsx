import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { returnable, returnsStore, type OfferedReturn } from '#renderer/stores/campaigns/returns-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { useFormats, Banner, Button, IconButton, useNow, FailureBanner } from '#renderer/ui/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

export function ReturnOffer(): ReactElement | null {
  const { offers, failure, dismissFailure } = useStore(returnsStore);
  const statuses = useStore(campaignsStore, (state) => state.statuses);
  const open = offers
    .map((offer) => ({ offer, count: returnable(offer, statuses).length }))
    .filter(({ count }) => count > 0);
  const [newest] = open;
  return (
    <>
      {failure !== null && (
        <FailureBanner flush failure={failure} onDismiss={dismissFailure}>
          Nothing was changed.
        </FailureBanner>
      )}
      {newest && <Offer {...newest} moreCount={open.length - 1} />}
    </>
  );
}

function Offer(props: { offer: OfferedReturn; count: number; moreCount: number }): ReactElement {
  const { offer, count, moreCount } = props;
  const formats = useFormats();
  const { proposalId, pausedCount, atMs } = offer;
  const preparing = useStore(returnsStore, (state) => state.preparing);
  const isConnected = useStore(sessionStore, (state) => state.connection.kind === 'connected');
  const isOff = useStore(sessionStore, (state) => state.status?.writing.off != null);
  const nowMs = useNow(60_000);

  async function propose(): Promise<void> {
    const id = await returnsStore.getState().propose(proposalId);
    if (id !== null) await reviewStore.getState().review(id);
  }

  const them = count < pausedCount ? `those ${formats.count(count)}` : count === 1 ? 'it' : 'them';
  return (
    <Banner
      flush
      tone="info"
      icon="pause"
      title={`${formats.counted(pausedCount, 'campaign')} paused`}
      actions={
        <>
          <Button
            size="small"
            disabled={preparing !== null || !isConnected || isOff}
            onClick={() => void propose()}
          >
            {preparing === proposalId ? 'Preparing…' : `Resume ${them}…`}
          </Button>
          <IconButton
            icon="close"
            size="small"
            label="Dismiss"
            onClick={() => void returnsStore.getState().dismiss(proposalId)}
          />
        </>
      }
    >
      {formats.when(atMs, nowMs)}.
      {count < pausedCount && <span>{` ${changedWords(pausedCount - count, formats)}`}</span>}
      {moreCount > 0 && (
        <span>{` ${formats.counted(moreCount, 'earlier pause')} can be resumed after it.`}</span>
      )}
    </Banner>
  );
}

function changedWords(count: number, formats: Formats): string {
  return count === 1
    ? '1 was changed since and stays as it is.'
    : `${formats.count(count)} were changed since and stay as they are.`;
}
