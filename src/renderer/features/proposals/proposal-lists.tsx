import { useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { arrange, type ProposalGroup, type SingleProposal, type WaitingEntry } from './stores/groups.ts';
import { proposalsStore, unreadCount, type SummaryList, type Which } from './stores/proposals-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Button,
  common,
  pages,
  cx,
  Disclosure,
  focusIsFree,
  ForeignText,
  Icon,
  ListLink,
  ProfileSign,
  QuotedText,
  StatePill,
  TimeLeft,
  useHasPassed,
  isTyping,
  modalIsOpen,
  shortcutOf,
  useFormats,
  Loading,
  ListHeading,
} from '#renderer/ui/index.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { proposerNames, perDayText } from '#shared/wording/index.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import styles from './proposals.module.css';

interface ProposalListsProps {
  selectedId: string | null;
  onOpen: () => void;
}

export function ProposalLists({ selectedId, onOpen }: ProposalListsProps): ReactElement {
  const formats = useFormats();
  const { waiting, past, queue } = useStore(proposalsStore);
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
            />
          ) : (
            <ProposalItem
              key={entry.summary.id}
              summary={entry.summary}
              selectedId={selectedId}
              mark={entry.apart && marks[entry.apart]}
            />
          ),
        )}
      </Part>
      <Part which="past" title="Past" list={past} nothing="Nothing has been decided yet.">
        {past.items.map((item) => (
          <ProposalItem key={item.id} summary={item} selectedId={selectedId} />
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

/** A group stays open while it contains a member for which it was opened, so that new members do not close it. */
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

interface ListKeysOptions extends ProposalListsProps {
  ids: readonly string[];
}

const letters = { nextRow: 1, previousRow: -1 } as const;
const arrows: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * True if the list has the focus, or no control has it, because elsewhere arrows scroll and Enter presses the focused control.
 */
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

interface ProposalItemProps {
  summary: ProposalSummary;
  selectedId: string | null;
  mark?: string | null;
}

function ProposalItem({ summary, selectedId, mark = null }: ProposalItemProps): ReactElement {
  const formats = useFormats();
  const isElsewhere = useStore(
    sessionStore,
    ({ session }) => session !== null && session.profile.id !== summary.profile.id,
  );
  const { id, title, state, operation, profile, worstWarning, perDay, createdAtMs, expiresAtMs } = summary;
  const needsPreparing = useHasPassed(summary.approvalEndsAtMs) && isUndecided(state);
  return (
    <li>
      <ListLink
        id={`proposal-${id}`}
        href={routeHref({ page: 'proposals', id })}
        className={styles.item}
        selected={id === selectedId}
      >
        <span className={cx(common.medium, styles.itemTitle)} title={title}>
          <ForeignText text={title} />
        </span>
        {mark !== null && <span className={styles.mark}>{mark}</span>}
        {needsPreparing && <span className={styles.mark}>The service’s approval has ended</span>}
        {isElsewhere && (
          <span className={styles.profile}>
            <ProfileSign kind={profile.kind} name={profile.name} framed />
          </span>
        )}
        <ProposedBy summary={summary} />
        <span className={styles.itemFacts}>
          <StatePill state={state} operation={operation} />
          {worstWarning !== null && worstWarning !== 'notice' && (
            <span className={styles[worstWarning]} title={worstWarning === 'danger' ? 'Danger' : 'Warning'}>
              <Icon name={worstWarning === 'danger' ? 'alert-circle' : 'warning'} size={14} />
            </span>
          )}
          {operation !== 'agent.admit' && (
            <span className={common.neutral}>{perDayText(perDay, new Date().getFullYear())}</span>
          )}
          <span className={styles.when} title={formats.moment(createdAtMs)}>
            {isUndecided(state) ? (
              <TimeLeft untilMs={expiresAtMs} />
            ) : (
              formats.shortMoment(createdAtMs, Date.now())
            )}
          </span>
        </span>
      </ListLink>
    </li>
  );
}

function ProposedBy({ summary }: { summary: ProposalSummary }): ReactElement | null {
  const { proposedBy, askedBy } = summary;
  if (askedBy?.some(({ kind }) => kind === 'agent') === true) {
    return (
      <span className={styles.agent}>
        by <ForeignText text={proposerNames(askedBy)} />
      </span>
    );
  }
  if (proposedBy.kind !== 'agent' && proposedBy.kind !== 'schedule') return null;
  return (
    <span className={styles.agent}>
      {proposedBy.kind === 'agent' ? 'by' : 'by schedule'} <QuotedText text={proposedBy.name} />
      {proposedBy.kind === 'agent' && <span> (agent)</span>}
    </span>
  );
}

interface GroupItemProps {
  group: ProposalGroup;
  open: boolean;
  onToggle: (open: boolean) => void;
  selectedId: string | null;
}

function GroupItem({ group, open, onToggle, selectedId }: GroupItemProps): ReactElement {
  const formats = useFormats();
  const { title, members, perDay, alwaysUnlimited, afterBatch } = group;
  const count = members.length;
  return (
    <li className={styles.group} aria-label={`${title}: ${formats.counted(count, 'change')}`}>
      <div className={cx(common.stack1, styles.groupHead)}>
        <span className={cx(common.strong, common.breaks)}>
          <ForeignText text={title} />
        </span>
        <span className={styles.groupFacts}>
          <span>{formats.counted(count, 'equal change')}</span>
          <span>
            by <ForeignText text={proposerNames(members.map(({ proposedBy }) => proposedBy))} />
          </span>
          <span className={cx(common.neutral, pages.tabular)}>
            together {perDayText(perDay, new Date().getFullYear())}
            {alwaysUnlimited > 0 && (
              <span>{`, plus ${alwaysUnlimited} that ${alwaysUnlimited === 1 ? 'stays' : 'stay'} unlimited`}</span>
            )}
          </span>
        </span>
        {afterBatch && (
          <span className={styles.small}>Arrived later; not included in the batch of this change.</span>
        )}
        <span>
          <Button kind="primary" size="small" onClick={() => void reviewTogether(members)}>
            Review {count} together
          </Button>
        </span>
      </div>
      <div className={styles.members}>
        <Disclosure title="Show each change" aside={String(count)} open={open} onToggle={onToggle}>
          {open && (
            <ul>
              {members.map((member) => (
                <ProposalItem key={member.id} summary={member} selectedId={selectedId} />
              ))}
            </ul>
          )}
        </Disclosure>
      </div>
    </li>
  );
}

async function reviewTogether(members: readonly ProposalSummary[]): Promise<void> {
  const navigate = uiStore.getState().fromHere();
  const id = await reviewStore.getState().reviewTogether(members.map((member) => member.id));
  if (id !== null) navigate({ page: 'proposals', id });
}
