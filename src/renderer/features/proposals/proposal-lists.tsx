import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import {
  arrange,
  proposalsStore,
  unreadCount,
  type SingleProposal,
  type SummaryList,
  type WaitingEntry,
  type Which,
} from '#renderer/stores/proposals/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { Button, Skeleton } from '#renderer/ui/index.ts';
import { GroupItem } from './group-item.tsx';
import { ProposalItem } from './proposal-item.tsx';
import styles from './proposals.module.css';
import { useListKeys } from './use-list-keys.ts';

export interface ProposalListsProps {
  /** The one that is shown, chosen or by itself. */
  selectedId: string | null;
  /** Takes the person into the one that is shown. */
  onOpen: () => void;
}

/** Waiting first, equal changes together, then past, newest first in both. */
export function ProposalLists({ selectedId, onOpen }: ProposalListsProps): ReactElement {
  const { waiting, past } = useStore(proposalsStore);
  const currentProfileId = useStore(sessionStore, (state) => state.session?.profile.id ?? null);
  const [openGroups, setOpenGroups] = useState<ReadonlySet<string>>(new Set());
  const entries = useMemo(() => arrange(waiting.items), [waiting.items]);

  const ids = [...listedIds(entries, openGroups), ...past.items.map((item) => item.id)];
  useListKeys({ ids, selectedId, onOpen });

  return (
    <nav className={styles.lists} aria-label="Proposals">
      <Part which="waiting" title="Waiting" list={waiting}>
        {entries.map((entry) =>
          entry.kind === 'group' ? (
            <GroupItem
              key={entry.key}
              group={entry}
              open={openGroups.has(entry.key)}
              onToggle={(open) => setOpenGroups(toggled(openGroups, entry.key, open))}
              selectedId={selectedId}
              currentProfileId={currentProfileId}
            />
          ) : (
            <ProposalItem
              key={entry.summary.id}
              summary={entry.summary}
              href={routeHref({ page: 'proposals', id: entry.summary.id })}
              selected={entry.summary.id === selectedId}
              currentProfileId={currentProfileId}
              mark={entry.apart && marks[entry.apart]}
            />
          ),
        )}
      </Part>
      <Part which="past" title="Past" list={past}>
        {past.items.map((item) => (
          <ProposalItem
            key={item.id}
            summary={item}
            href={routeHref({ page: 'proposals', id: item.id })}
            selected={item.id === selectedId}
            currentProfileId={currentProfileId}
          />
        ))}
      </Part>
    </nav>
  );
}

interface PartProps {
  which: Which;
  title: string;
  list: SummaryList;
  children: ReactNode;
}

const marks: Record<NonNullable<SingleProposal['apart']>, string> = {
  outlier: 'Different from the group below',
  late: 'Arrived later; not included',
};

/** The proposals that have a line of their own, from top to bottom. */
function listedIds(entries: readonly WaitingEntry[], openGroups: ReadonlySet<string>): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'single') return [entry.summary.id];
    return openGroups.has(entry.key) ? entry.members.map(({ id }) => id) : [];
  });
}

function toggled(keys: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> {
  const others = [...keys].filter((one) => one !== key);
  return new Set(on ? [...others, key] : others);
}

const nothing: Record<Which, string> = {
  waiting: 'Nothing waits for you.',
  past: 'Nothing has been decided yet.',
};

function Part({ which, title, list, children }: PartProps): ReactElement {
  const unread = unreadCount(list);
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>
        {title} <span>{list.total ?? ''}</span>
      </h2>
      {list.total === null && !list.failure && <Waiting />}
      {list.total === 0 && <p className={styles.nothing}>{nothing[which]}</p>}
      <ul>{children}</ul>
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
