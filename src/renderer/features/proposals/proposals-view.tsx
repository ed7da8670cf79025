import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { arrange } from './stores/groups.ts';
import { proposalsStore } from './stores/proposals-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { useFormats, Age, Banner, Button, cx, EmptyState, PageFrame } from '#renderer/ui/index.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { Detail } from './detail.tsx';
import { QueueControls } from './queue-controls.tsx';
import { ProposalLists } from './proposal-lists.tsx';
import styles from './proposals.module.css';
import { shownByItself } from './shown.ts';
import { WaitingTime } from './waiting-time.tsx';
import type { Formats } from '#shared/lib/formats.ts';

/** Proposals waiting and past at the left, the selected one at the right, else the first that waits. */
export function ProposalsView({ selectedId }: { selectedId: string | null }): ReactElement {
  const formats = useFormats();
  const { waiting, past, detail, queue, proposers } = useStore(proposalsStore);
  const region = useRef<HTMLElement>(null);
  const [byItself, setByItself] = useState<string | null>(null);
  const next = shownByItself({ selectedId, byItself, firstWaiting: firstListed(waiting.items, formats) });
  if (next !== byItself) setByItself(next);
  const shownId = selectedId ?? next;
  useEffect(() => proposalsStore.getState().start(), []);
  useEffect(() => proposalsStore.getState().open(shownId), [shownId]);
  // Counts everyone's, also while one proposer's changes are listed.
  const waitingCount =
    queue.by === null ? waiting.total : proposers.reduce((sum, { count }) => sum + count, 0);
  const empty = waitingCount === 0 && past.total === 0;

  return (
    <PageFrame
      title="Proposals"
      guide={routeHref({ page: 'guide', place: 'first-change/decide-later' })}
      count={waitingCount !== null && past.total !== null && `${waitingCount} waiting · ${past.total} past`}
      actions={
        <>
          <QueueControls />
          <WaitingTime />
        </>
      }
    >
      <Notices />
      {empty && shownId === null ? (
        <EmptyState
          icon="proposals"
          title="No proposals yet"
          action={<a href="#/campaigns">Open the campaigns</a>}
        >
          Every change to a campaign waits here until you approve or deny it. Edit a campaign, then press
          Review change.
        </EmptyState>
      ) : (
        <div className={cx(styles.columns, selectedId !== null && styles.chosen)}>
          <ProposalLists selectedId={shownId} onOpen={() => region.current?.focus()} />
          <section ref={region} className={styles.viewDetail} aria-label="Proposal" tabIndex={-1}>
            {selectedId !== null && (
              <a className={styles.back} href={routeHref({ page: 'proposals', id: null })}>
                All proposals
              </a>
            )}
            {detail && <Detail key={detail.id} detail={detail} />}
            {shownId === null && waitingCount === 0 && <NothingOpen />}
          </section>
        </div>
      )}
    </PageFrame>
  );
}

/** The first proposal of the list, or the first of its first group. */
function firstListed(items: readonly ProposalSummary[], formats: Formats): string | null {
  const [first] = arrange(items, formats);
  return (first?.kind === 'group' ? first.members[0]?.id : first?.summary.id) ?? null;
}

function NothingOpen(): ReactElement {
  return (
    <EmptyState icon="proposals" title="Nothing is waiting">
      Select a past proposal to see what was proposed, decided and verified.
    </EmptyState>
  );
}

/** Notices above the lists: they may be old, or a read failed. */
function Notices(): ReactElement | null {
  const { waiting, past, reload } = useStore(proposalsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const failure = waiting.failure ?? past.failure;
  if (connection.kind === 'lost') {
    // On the desktop the window says it over every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        It last answered <Age atMs={connection.sinceMs} />. Nothing can be decided until it is back; this page
        tries again by itself.
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
