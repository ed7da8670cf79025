import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { proposalsStore, type QueueView, waitingTimeStore } from './stores/proposals-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Age,
  Banner,
  EmptyState,
  PageFrame,
  Menu,
  Select,
  FailureBanner,
  ListAndDetail,
} from '#renderer/ui/index.ts';
import type { ProposalSummary, ProposerFilter } from '#shared/app-api/index.ts';
import { Detail } from './detail.tsx';
import { ProposalLists } from './proposal-lists.tsx';
import { arrange, shownByItself } from './stores/groups.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  maxWaitingMinutes,
  minWaitingMinutes,
  defaultWaitingMinutes,
  waitingTimeText,
} from '#shared/proposals/states.ts';

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
  // Counts the changes of all proposers, even if the list is filtered by one.
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
        <ListAndDetail
          ref={region}
          label="Proposal"
          list={<ProposalLists selectedId={shownId} onOpen={() => region.current?.focus()} />}
          back={
            selectedId === null
              ? null
              : { href: routeHref({ page: 'proposals', id: null }), name: 'All proposals' }
          }
          detail={
            <>
              {detail && <Detail key={detail.id} detail={detail} />}
              {shownId === null && waitingCount === 0 && (
                <EmptyState icon="proposals" title="Nothing is waiting">
                  Select a past proposal to see what was proposed, decided and verified.
                </EmptyState>
              )}
            </>
          }
        />
      )}
    </PageFrame>
  );
}

function firstListed(items: readonly ProposalSummary[], formats: Formats): string | null {
  const [first] = arrange(items, formats);
  return (first?.kind === 'group' ? first.members[0]?.id : first?.summary.id) ?? null;
}

function Notices(): ReactElement | null {
  const { waiting, past, reload } = useStore(proposalsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const failure = waiting.failure ?? past.failure;
  if (connection.kind === 'lost') {
    // On the desktop, the window shows this above every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        It last answered <Age atMs={connection.sinceMs} />. Nothing can be decided until it is back; this page
        tries again by itself.
      </Banner>
    );
  }
  if (!failure) return null;
  return (
    <FailureBanner flush tone="warning" failure={failure} onRetry={reload}>
      Nothing was changed.
    </FailureBanner>
  );
}

const orders: readonly { id: QueueView['order']; label: string }[] = [
  { id: 'risk', label: 'Highest risk first' },
  { id: 'newest', label: 'Newest first' },
];

const everyone = 'everyone';

function keyOf(by: ProposerFilter | null): string {
  return by === null ? everyone : JSON.stringify([by.kind, by.agentId]);
}

function QueueControls(): ReactElement {
  const { queue, proposers, arrangeQueue } = useStore(proposalsStore);
  const { order, by } = queue;
  const orderLabel = orders.find(({ id }) => id === order)?.label ?? '';
  const entries = [
    { id: everyone, label: 'All proposers' },
    ...proposers.map((one) => ({ id: keyOf(one), label: `${nameOf(one)} (${one.count})` })),
  ];
  const current = proposers.find((one) => keyOf(one) === keyOf(by));
  const byLabel = by === null ? 'All proposers' : current === undefined ? 'None waiting' : nameOf(current);
  return (
    <>
      <Menu
        kind="quiet"
        size="small"
        label={orderLabel}
        name={`Order of waiting changes: ${orderLabel}`}
        heading="Order of waiting changes"
        entries={orders}
        selection={{ mode: 'single', ids: [order] }}
        onAction={(id) => arrangeQueue({ order: id === 'newest' ? 'newest' : 'risk', by })}
      />
      {(proposers.length > 1 || by !== null) && (
        <Menu
          kind="quiet"
          size="small"
          label={byLabel}
          name={`Waiting changes of: ${byLabel}`}
          heading="Waiting changes of"
          entries={entries}
          selection={{ mode: 'single', ids: [keyOf(by)] }}
          onAction={(id) => {
            const chosen = proposers.find((one) => keyOf(one) === id);
            arrangeQueue({
              order,
              by: chosen === undefined ? null : { kind: chosen.kind, agentId: chosen.agentId },
            });
          }}
        />
      )}
    </>
  );
}

/** Names of agents are untrusted text. All schedules share one entry. */
function nameOf({ kind, name }: { kind: ProposerFilter['kind']; name: string }): string {
  return kind === 'schedule' ? 'Schedules' : inertText(name);
}

const hour = 60;
const day = 24 * hour;
const choices = [
  minWaitingMinutes,
  hour,
  4 * hour,
  8 * hour,
  defaultWaitingMinutes,
  3 * day,
  maxWaitingMinutes,
];

function useWaitingTime() {
  const formats = useFormats();
  const { minutes, failure, choose } = useStore(waitingTimeStore);
  useEffect(() => waitingTimeStore.getState().start(), []);
  if (minutes === null) return null;
  const offered = [...new Set([...choices, minutes])].toSorted((one, two) => one - two);
  return {
    id: String(minutes),
    text: waitingTimeText(minutes, formats),
    options: offered.map((choice) => ({ id: String(choice), label: waitingTimeText(choice, formats) })),
    failure,
    choose: (id: string): void => void choose(Number(id)),
  };
}

function WaitingTime(): ReactElement | null {
  const waiting = useWaitingTime();
  if (waiting === null) return null;
  const { id, text, options, failure, choose } = waiting;
  return (
    <>
      {failure && <span role="alert">{failure.message}</span>}
      <Menu
        kind="quiet"
        size="small"
        icon="clock"
        label={`Changes wait ${text}`}
        name={`New changes wait ${text} for a decision`}
        heading="New changes wait for a decision"
        entries={options}
        selection={{ mode: 'single', ids: [id] }}
        onAction={choose}
      />
    </>
  );
}

export function WaitingTimeSetting(): ReactElement | null {
  const waiting = useWaitingTime();
  if (waiting === null) return null;
  const { id, options, failure, choose } = waiting;
  return (
    <>
      <Select
        label="New changes wait"
        limit="Then they expire unsent."
        value={id}
        options={options}
        onChange={choose}
      />
      {failure && <FailureBanner tone="warning" failure={failure} />}
    </>
  );
}
