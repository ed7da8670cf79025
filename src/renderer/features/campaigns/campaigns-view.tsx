import { campaignsStore, narrows } from '#renderer/stores/campaigns/index.ts';
import { Button, EmptyState, useLongerThan } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { BulkBar } from './bulk-bar.tsx';
import { CampaignTable } from './campaign-table.tsx';
import { Notices } from './notices.tsx';
import { Toolbar } from './toolbar.tsx';
import styles from './campaigns-view.module.css';

/** Grey rows come only when a read takes longer than this; a quick answer never flickers. */
const skeletonAfterMs = 200;

/** The list of campaigns in each of its states. */
export function CampaignsView(): ReactElement {
  return (
    <div className={styles.view}>
      <Toolbar />
      <Notices />
      <div className={styles.body}>
        <ListBody />
        <BulkBar />
      </div>
    </div>
  );
}

function ListBody(): ReactElement | null {
  const { list, filter, failure, reload, clearFilter } = useStore(campaignsStore);
  const slow = useLongerThan(skeletonAfterMs, list === null && failure === null);
  if (!list && failure) {
    return (
      <EmptyState
        icon="offline"
        title={failure.message}
        action={
          <Button kind="primary" icon="refresh" onClick={reload}>
            Try again
          </Button>
        }
      >
        {failure.next} Nothing was changed.
      </EmptyState>
    );
  }
  if (!list && !slow) return null;
  if (list?.total === 0 && narrows(filter)) {
    return (
      <EmptyState
        icon="search-none"
        title="No campaign matches"
        action={<Button onClick={clearFilter}>Clear filters</Button>}
      >
        Text is looked for in names; a number finds the campaign with exactly that ID.
      </EmptyState>
    );
  }
  if (list?.total === 0) {
    return (
      <EmptyState
        icon="campaigns"
        title="No campaigns yet"
        action={<Button onClick={reload}>Look again</Button>}
      >
        Campaigns of this account appear here as soon as the service has some.
      </EmptyState>
    );
  }
  return <CampaignTable />;
}
