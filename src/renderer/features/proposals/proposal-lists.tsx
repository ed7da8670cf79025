import { useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { arrange, type ProposalGroup, type SingleProposal, type WaitingEntry } from './stores/groups.ts';
import { proposalsStore, unreadCount, type SummaryList, type Which } from './stores/proposals-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Button,
  focusIsFree,
  isTyping,
  modalIsOpen,
  shortcutOf,
  useFormats,
  Loading,
  ListHeading,
} from '#renderer/ui/index.ts';
import { GroupItem, ProposalItem } from './proposal-item.tsx';
import styles from './proposals.module.css';

interface ProposalListsProps {
  selectedId: string | null;
  onOpen: () => void;
}

export function ProposalLists({ selectedId, onOpen }: ProposalListsProps): ReactElement {
  const formats = useFormats();
  const { waiting, past, queue } = useStore(proposalsStore);
  const currentProfileId = useStore(sessionStore, (state) => state.session?.profile.id ?? null);
  const [openMembers, setOpenMembers] = useState<ReadonlySet<string>>(new Set());
  const entries = useMemo(() => arrange(waiting.items, formats), [waiting.items, formats]);

  const ids = [...listedIds(entries, openMembers), ...past.items.map((item) => item.id)];
  useListKeys({ ids, selectedId, onOpen });

  return (
    <nav aria-label="Proposals">
      <Part
        which="waiting"
        title="Waiting"
        list={waiting}
        nothing={queue.by === null ? 'Nothing is waiting.' : 'Nothing from this proposer is waiting.'}
      >
        {entries.map((entry) =>
          entry.kind === 'group' ? (
            <GroupItem
              key={entry.key}
              group={entry}
              open={isOpen(entry, openMembers)}
              onToggle={(open) => setOpenMembers(toggled(openMembers, entry, open))}
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
      <Part which="past" title="Past" list={past} nothing="Nothing has been decided yet.">
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
  nothing: string;
  children: ReactNode;
}

const marks: Record<NonNullable<SingleProposal['apart']>, string> = {
  above: 'Different from the group below',
  below: 'Different from the group above',
  late: 'Arrived later; not included',
};

function listedIds(entries: readonly WaitingEntry[], openMembers: ReadonlySet<string>): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'single') return [entry.summary.id];
    return isOpen(entry, openMembers) ? entry.members.map(({ id }) => id) : [];
  });
}

/** A group stays open while any of its former members is in it. */
function isOpen({ members }: ProposalGroup, openMembers: ReadonlySet<string>): boolean {
  return members.some(({ id }) => openMembers.has(id));
}

function toggled(
  openMembers: ReadonlySet<string>,
  { members }: ProposalGroup,
  open: boolean,
): ReadonlySet<string> {
  const ids = members.map(({ id }) => id);
  const others = [...openMembers].filter((id) => !ids.includes(id));
  return new Set(open ? [...others, ...ids] : others);
}

function Part({ which, title, list, nothing, children }: PartProps): ReactElement {
  const formats = useFormats();
  const unread = unreadCount(list);
  return (
    <section aria-label={title}>
      <ListHeading title={title} count={list.total} />
      {list.total === null && !list.failure && (
        <Loading label="Reading the proposals" widths={['72%', '44%']} />
      )}
      {list.total === 0 && <p className={styles.nothing}>{nothing}</p>}
      <ul>{children}</ul>
      {unread > 0 && (
        <p className={styles.more}>
          <Button
            kind="quiet"
            size="small"
            disabled={list.loadingMore}
            onClick={() => void proposalsStore.getState().readMore(which)}
          >
            {list.loadingMore
              ? 'Reading…'
              : `${which === 'past' ? 'Show older' : 'Show further changes'} (${formats.count(unread)} more)`}
          </Button>
        </p>
      )}
    </section>
  );
}

interface ListKeysOptions {
  ids: readonly string[];
  selectedId: string | null;
  onOpen: () => void;
}

const letters = { nextRow: 1, previousRow: -1 } as const;
const arrows: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** True in the list and without a focus; elsewhere arrows scroll, and Enter presses the focused control. */
const inList = (): boolean => focusIsFree() || document.activeElement?.id.startsWith('proposal-') === true;

function choose(id: string | null): void {
  uiStore.getState().navigate({ page: 'proposals', id });
}

function press(event: KeyboardEvent, { ids, selectedId, onOpen }: ListKeysOptions): boolean {
  const { key } = event;
  const letter = shortcutOf(event, ['nextRow', 'previousRow']);
  const step = letter !== null ? letters[letter] : inList() ? arrows[key] : undefined;
  if (step !== undefined) {
    const at = selectedId === null ? -1 : ids.indexOf(selectedId);
    const id = ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (id === undefined) return false;
    choose(id);
    document.getElementById(`proposal-${id}`)?.focus();
    return true;
  }
  if (key === 'Enter' && inList()) {
    const id = document.activeElement?.id.replace(/^proposal-/u, '') || selectedId;
    if (id === null) return false;
    choose(id);
    onOpen();
    return true;
  }
  if (key !== 'Escape') return false;
  choose(null);
  document.getElementById(`proposal-${selectedId}`)?.focus();
  return true;
}

function useListKeys(options: ListKeysOptions): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (modalIsOpen() || isTyping(event.target)) return;
      if (press(event, options)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
}
