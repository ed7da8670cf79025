import { reviewStore } from '#renderer/stores/review-store.ts';
import { schedulesStore } from '#renderer/stores/schedules/schedules-store.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Banner,
  Button,
  common,
  cx,
  DefinitionList,
  Dialog,
  FailureBanner,
  ForeignText,
  ListLink,
  pages,
  Pill,
  Rule,
  StatePill,
  useFormats,
  useNow,
} from '#renderer/ui/index.ts';
import { ReturnTimes } from '#renderer/ui/report/index.ts';
import type { PauseReturnView } from '#shared/app-api/index.ts';
import { returnMoment } from '#shared/campaign/index.ts';
import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { isOpenReturn, localMoment, returnLooks, returnPlace, returnTitle } from './schedule-words.ts';
import styles from './schedules.module.css';

interface ReturnProps {
  one: PauseReturnView;
  zone: string;
}

function State({ one: { state, proposal }, framed = false }: { one: PauseReturnView; framed?: boolean }) {
  if (state !== 'decided') return <Pill {...returnLooks[state]} framed={framed} />;
  return proposal === null ? null : <StatePill state={proposal.state} operation="campaign.status" />;
}

export function ReturnItem({ one, zone, selected }: ReturnProps & { selected: boolean }): ReactElement {
  const formats = useFormats();
  const place = returnPlace(one.id);
  return (
    <li>
      <ListLink
        id={`schedule-${place}`}
        href={routeHref({ page: 'schedules', id: place })}
        className={styles.item}
        selected={selected}
      >
        <span className={cx(common.medium, common.breaks)}>
          <ForeignText text={returnTitle(one, formats)} />
        </span>
        <span className={cx(common.quiet, pages.tabular)}>
          {returnMoment(one.atMs, zone)} ({zone})
        </span>
        <span className={styles.state}>
          <State one={one} />
        </span>
      </ListLink>
    </li>
  );
}

export function ReturnDetail({ one, zone }: ReturnProps): ReactElement {
  const formats = useFormats();
  const { id, state, ended, failure, proposal, campaigns, pausedCount, changedCount } = one;
  const refusal = useStore(schedulesStore, (store) => store.refusal);
  const [isMoving, setMoving] = useState(false);
  const named = campaigns.length;
  const count = isOpenReturn(one) ? pausedCount - changedCount : pausedCount;
  return (
    <div className={cx(common.stack, styles.body)}>
      <header className={cx(common.stack2, pages.start)}>
        <State one={one} framed />
        <h2 className={cx(pages.title, styles.detailTitle)}>
          <ForeignText text={returnTitle(one, formats)} />
        </h2>
        {(state === 'planned' || state === 'due') && <Actions one={one} onMove={() => setMoving(true)} />}
      </header>
      {refusal?.of.kind === 'return' && refusal.of.id === id && <FailureBanner failure={refusal.failure} />}
      {state === 'due' && failure !== null && (
        <Banner tone="warning" title={failure.message}>
          {failure.next} Countersign tries again by itself; the campaigns stay paused.
        </Banner>
      )}
      {state === 'waiting' && proposal !== null && (
        <Banner
          tone="info"
          icon="clock"
          title="This return awaits your approval."
          actions={<a href={routeHref({ page: 'proposals', id: proposal.id })}>Open the proposal</a>}
        />
      )}
      {ended !== null && (
        <Banner tone="info" title="Nothing was left to return.">
          <ForeignText text={ended} />
        </Banner>
      )}
      <section aria-label="Return">
        <Rule title="Return" />
        <DefinitionList items={factsOf(one, zone)} />
      </section>
      <section aria-label="Campaigns">
        <Rule title="Campaigns" aside={formats.counted(count, 'campaign')} />
        <ul>
          {campaigns.map(({ cid, name }) => (
            <li key={cid} className={styles.entry}>
              <a href={routeHref({ page: 'campaigns', cid })} className={common.breaks}>
                <ForeignText text={name} />
              </a>
            </li>
          ))}
        </ul>
        {count > named && <p className={common.quiet}>{formats.count(count - named)} more</p>}
      </section>
      {isMoving && <MoveDialog id={id} zone={zone} onClose={() => setMoving(false)} />}
    </div>
  );
}

function factsOf(
  { atMs, pauseId, pausedCount, changedCount, proposal, state }: PauseReturnView,
  zone: string,
) {
  const own = localMoment(atMs, zone);
  return [
    {
      key: 'at',
      term: 'Time',
      value: (
        <>
          <span>
            {returnMoment(atMs, zone)} ({zone})
          </span>
          {own !== null && <span className={styles.own}>{own}</span>}
        </>
      ),
    },
    ...(changedCount === 0
      ? []
      : [
          {
            key: 'changed',
            term: 'Left as they are',
            value: `${changedCount} of ${pausedCount}, changed since`,
          },
        ]),
    {
      key: 'pause',
      term: 'Pause',
      value: <a href={routeHref({ page: 'proposals', id: pauseId })}>Open the pause</a>,
    },
    ...(proposal === null || state === 'waiting'
      ? []
      : [
          {
            key: 'proposal',
            term: 'Proposal',
            value: <a href={routeHref({ page: 'proposals', id: proposal.id })}>Open the return</a>,
          },
        ]),
  ];
}

function Actions({ one: { id }, onMove }: { one: PauseReturnView; onMove: () => void }): ReactElement {
  const doing = useStore(schedulesStore, (store) => store.doing);
  const { returnNow, cancelReturn } = schedulesStore.getState();
  async function now(): Promise<void> {
    const proposalId = await returnNow(id);
    if (proposalId !== null) await reviewStore.getState().review(proposalId);
  }
  async function cancel(): Promise<void> {
    if (await cancelReturn(id)) uiStore.getState().navigate({ page: 'schedules', id: null });
  }
  return (
    <div className={common.wrap2}>
      <Button disabled={doing !== null} onClick={() => void now()}>
        {doing?.kind === 'return' ? 'Preparing…' : 'Return now…'}
      </Button>
      <Button disabled={doing !== null} onClick={onMove}>
        Change time…
      </Button>
      <Button disabled={doing !== null} onClick={() => void cancel()}>
        Cancel return
      </Button>
    </div>
  );
}

function MoveDialog({ id, zone, onClose }: { id: string; zone: string; onClose: () => void }): ReactElement {
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  const doing = useStore(schedulesStore, (store) => store.doing);
  async function move(atMs: number): Promise<void> {
    await schedulesStore.getState().moveReturn(id, atMs);
    onClose();
  }
  return (
    <Dialog title="Change the time of the return" onClose={onClose}>
      <ReturnTimes
        nowMs={nowMs}
        zone={zone}
        verb="Change time"
        disabled={doing !== null}
        onChoose={(atMs) => void move(atMs)}
      />
    </Dialog>
  );
}
