import type { KeyboardEvent, ReactElement } from 'react';
import { useStore } from 'zustand';
import {
  proposalsStore,
  unreadCount,
  type SummaryList,
  type Which,
} from '#renderer/stores/proposals/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref, uiStore } from '#renderer/stores/ui/index.ts';
import { Button, Skeleton } from '#renderer/ui/index.ts';
import { ProposalItem } from './proposal-item.tsx';
import styles from './proposal-lists.module.css';

/** Waiting first, then past, newest first in both. Arrow keys and j, k move between them. */
export function ProposalLists({ selectedId }: { selectedId: string | null }): ReactElement {
  const { waiting, past } = useStore(proposalsStore);

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const ids = [...waiting.items, ...past.items].map((item) => item.id);
    const at = selectedId === null ? -1 : ids.indexOf(selectedId);
    const id = ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (id === undefined) return;
    uiStore.getState().navigate({ page: 'proposals', id });
    document.getElementById(`proposal-${id}`)?.focus();
  }

  return (
    <nav className={styles.lists} aria-label="Proposals" onKeyDown={onKeyDown}>
      <Part which="waiting" title="Waiting" list={waiting} selectedId={selectedId} />
      <Part which="past" title="Past" list={past} selectedId={selectedId} />
    </nav>
  );
}

interface PartProps {
  which: Which;
  title: string;
  list: SummaryList;
  selectedId: string | null;
}

const nothing: Record<Which, string> = {
  waiting: 'Nothing waits for you.',
  past: 'Nothing has been decided yet.',
};

function Part({ which, title, list, selectedId }: PartProps): ReactElement {
  const unread = unreadCount(list);
  const currentProfileId = useStore(sessionStore, (state) => state.session?.profile.id ?? null);
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>
        {title} <span>{list.total ?? ''}</span>
      </h2>
      {list.total === null && !list.failure && <Waiting />}
      {list.total === 0 && <p className={styles.nothing}>{nothing[which]}</p>}
      <ul>
        {list.items.map((item) => (
          <ProposalItem
            key={item.id}
            summary={item}
            href={routeHref({ page: 'proposals', id: item.id })}
            selected={item.id === selectedId}
            currentProfileId={currentProfileId}
          />
        ))}
      </ul>
      {unread > 0 && (
        <p className={styles.more}>
          <Button
            kind="quiet"
            size="small"
            disabled={list.loadingMore}
            onClick={() => void proposalsStore.getState().readMore(which)}
          >
            {list.loadingMore ? 'Reading…' : `Show older (${unread.toLocaleString('en-US')} more)`}
          </Button>
        </p>
      )}
    </section>
  );
}

function Waiting(): ReactElement {
  return (
    <p className={styles.skeleton} aria-label="Reading the proposals">
      <Skeleton width="72%" />
      <Skeleton width="44%" />
    </p>
  );
}
