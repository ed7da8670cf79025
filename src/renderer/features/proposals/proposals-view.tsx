import type { ProposalSummary } from '#shared/app-api/index.ts';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { arrange, proposalsStore } from '#renderer/stores/proposals/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { cx, EmptyState, PageFrame } from '#renderer/ui/index.ts';
import { Detail } from './detail.tsx';
import { Notices } from './notices.tsx';
import { ProposalLists } from './proposal-lists.tsx';
import { shownByItself } from './shown.ts';
import styles from './proposals-view.module.css';

/** Proposals waiting and past at the left, the selected one at the right, else the newest that waits. */
export function ProposalsView({ selectedId }: { selectedId: string | null }): ReactElement {
  const { waiting, past, detail } = useStore(proposalsStore);
  const region = useRef<HTMLElement>(null);
  const [byItself, setByItself] = useState<string | null>(null);
  const next = shownByItself({ selectedId, byItself, newestWaiting: firstListed(waiting.items) });
  if (next !== byItself) setByItself(next);
  const shownId = selectedId ?? next;
  useEffect(() => proposalsStore.getState().start(), []);
  useEffect(() => proposalsStore.getState().open(shownId), [shownId]);
  const empty = waiting.total === 0 && past.total === 0;

  return (
    <PageFrame
      title="Proposals"
      count={waiting.total !== null && past.total !== null && `${waiting.total} waiting · ${past.total} past`}
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
          <section ref={region} className={styles.detail} aria-label="Proposal" tabIndex={-1}>
            {selectedId !== null && (
              <a className={styles.back} href={routeHref({ page: 'proposals', id: null })}>
                All proposals
              </a>
            )}
            {detail && <Detail key={detail.id} detail={detail} />}
            {shownId === null && waiting.total === 0 && <NothingOpen />}
          </section>
        </div>
      )}
    </PageFrame>
  );
}

/** The proposal that stands first in the list, or the newest of the group that does. */
function firstListed(items: readonly ProposalSummary[]): string | null {
  const [first] = arrange(items);
  return (first?.kind === 'group' ? first.members[0]?.id : first?.summary.id) ?? null;
}

function NothingOpen(): ReactElement {
  return (
    <EmptyState icon="proposals" title="Nothing waits for you">
      Select a past proposal to see what was asked, decided and found.
    </EmptyState>
  );
}
