import { reviewStore } from '#renderer/stores/review-store.ts';
import { schedulesStore } from '#renderer/stores/schedules/schedules-store.ts';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  Countdown,
  DefinitionList,
  ForeignText,
  IconButton,
  ListLink,
  Pill,
  QuotedText,
  Rule,
  StatePill,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { DueStage, ScheduleView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { creatorWords, isLive, localMoment, runWords, stateLook, zonedMoment } from './schedule-words.ts';
import styles from './schedules.module.css';
import type { Formats } from '#shared/lib/formats.ts';

interface ScheduleDetailProps {
  task: ScheduleView;
  zone: string;
  mayCancel: boolean;
}

export function ScheduleDetail({ task, zone, mayCancel }: ScheduleDetailProps): ReactElement {
  const formats = useFormats();
  const { name, what } = task;
  const refusal = useStore(schedulesStore, (state) => state.refusal);
  return (
    <div className={cx(common.stack, styles.body)}>
      <header className={cx(common.stack2, pages.start)}>
        <Pill {...stateLook(task)} framed />
        <h2 className={cx(pages.title, styles.detailTitle)}>
          {name === null ? <ForeignText text={what} /> : <QuotedText text={name} />}
        </h2>
        {isLive(task) && <Actions task={task} mayCancel={mayCancel} />}
      </header>
      {refusal?.of.kind === 'cancel' && refusal.of.id === task.id && (
        <FailureBanner failure={refusal.failure} />
      )}
      <SavedFile />
      {task.reason !== null && (
        <Banner tone="warning" title="The service suspended this schedule.">
          {task.reason} Schedule it again once that is settled.
        </Banner>
      )}
      {task.due !== null && <Due {...task.due} />}
      <section aria-label="Schedule">
        <Rule title="Schedule" />
        <DefinitionList items={factsOf(task, zone, formats)} />
      </section>
      {task.history.length > 0 && <History history={task.history} />}
    </div>
  );
}

function Actions({ task: { id }, mayCancel }: Omit<ScheduleDetailProps, 'zone'>): ReactElement {
  const doing = useStore(schedulesStore, (state) => state.doing);
  async function cancel(): Promise<void> {
    const proposalId = await schedulesStore.getState().proposeCancel(id);
    if (proposalId !== null) await reviewStore.getState().review(proposalId);
  }
  return (
    <div className={common.wrap2}>
      <Button disabled={doing !== null || !mayCancel} onClick={() => void cancel()}>
        {doing?.kind === 'cancel' ? 'Preparing…' : 'Cancel schedule…'}
      </Button>
    </div>
  );
}

const dueWords: Readonly<Record<DueStage, { title: string; text?: string }>> = {
  unproposed: { title: 'A change is due.', text: 'Its proposal is not here yet.' },
  waiting: { title: 'A change awaits your approval.' },
  denied: { title: 'You denied this change.', text: 'Nothing was sent.' },
  decided: { title: 'This change was decided.' },
  'too-late': { title: 'Too late to decide.', text: 'Nothing was sent, and nothing will be.' },
  elsewhere: {
    title: 'This change was prepared for another sign-in.',
    text: 'It cannot be decided here. For later runs, cancel this schedule and create it again.',
  },
};

function Due({ stage, endsAtMs, proposalId }: NonNullable<ScheduleView['due']>): ReactElement {
  const aheadMs = useStore(sessionStore, serviceAheadMs);
  const { title, text } = dueWords[stage];
  const isOpen = stage === 'waiting' || stage === 'unproposed';
  return (
    <Banner
      tone={stage === 'elsewhere' ? 'warning' : 'info'}
      icon="clock"
      title={title}
      actions={
        proposalId !== null && (
          <a href={routeHref({ page: 'proposals', id: proposalId })}>Open the proposal</a>
        )
      }
    >
      {text !== undefined && <span>{text} </span>}
      {isOpen && endsAtMs !== null && (
        <>
          <span>Approval ends in </span>
          <Countdown untilMs={endsAtMs - aheadMs} />
          <span>.</span>
        </>
      )}
    </Banner>
  );
}

function factsOf(task: ScheduleView, zone: string, formats: Formats) {
  const { what, when, lastRun, createdAtMs, createdBy, id } = task;
  const missed = lastRun?.missed ?? 0;
  return [
    { key: 'what', term: 'What it does', value: <ForeignText text={what} /> },
    { key: 'when', term: 'When', value: <ForeignText text={when} /> },
    { key: 'next', term: 'Next run', value: <NextRun task={task} zone={zone} /> },
    {
      key: 'last',
      term: 'Last run',
      value: lastRun === null ? 'None yet' : <LastRun id={id} run={lastRun} zone={zone} />,
    },
    ...(missed === 0
      ? []
      : [
          {
            key: 'missed',
            term: 'Missed',
            value: `${formats.counted(missed, 'run')} while the service was down`,
          },
        ]),
    {
      key: 'created',
      term: 'Created',
      value: createdAtMs === null ? 'Unknown' : zonedMoment(createdAtMs, zone),
    },
    {
      key: 'by',
      term: 'Created by',
      value:
        createdBy.kind === 'unknown' ? (
          creatorWords(task)
        ) : (
          <a href={routeHref({ page: 'proposals', id: createdBy.proposalId })}>
            <ForeignText text={creatorWords(task)} />
          </a>
        ),
    },
    { key: 'id', term: 'ID at the service', value: <ForeignText text={id} /> },
  ];
}

interface LastRunProps {
  id: string;
  run: NonNullable<ScheduleView['lastRun']>;
  zone: string;
}

function LastRun({ id, run, zone }: LastRunProps): ReactElement {
  const formats = useFormats();
  const { flow, saveFile } = useStore(schedulesStore);
  const { fileName } = run;
  return (
    <>
      <ForeignText text={`${runWords(run, formats)}. ${zonedMoment(run.ranAtMs, zone)}`} />
      {fileName !== null && (
        <div className={styles.file}>
          <Button
            size="small"
            icon="download"
            disabled={flow.kind === 'running'}
            onClick={() => void saveFile(id, fileName)}
          >
            Save file…
          </Button>
        </div>
      )}
    </>
  );
}

function SavedFile(): ReactElement | null {
  const { flow, dismissFile } = useStore(schedulesStore);
  if (flow.kind !== 'saved' && flow.kind !== 'failed') return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismissFile} />;
  return flow.kind === 'saved' ? (
    <Banner tone="good" title="Saved." actions={close}>
      <ForeignText text={flow.name} />
    </Banner>
  ) : (
    <FailureBanner failure={flow.failure} actions={close}>
      No file was saved.
    </FailureBanner>
  );
}

function History({ history }: Pick<ScheduleView, 'history'>): ReactElement {
  const formats = useFormats();
  return (
    <section aria-label="History">
      <Rule title="History" aside={formats.counted(history.length, 'proposal')} />
      <ul>
        {history.map(({ proposalId, title, state, updatedAtMs }) => (
          <li key={proposalId}>
            <ListLink
              id={`schedule-proposal-${proposalId}`}
              href={routeHref({ page: 'proposals', id: proposalId })}
              selected={false}
              className={styles.entry}
            >
              <span className={common.breaks}>
                <ForeignText text={title} />
              </span>
              <span className={styles.entryFacts}>
                <StatePill state={state} operation="tool.call" />
                <span title={formats.moment(updatedAtMs)}>
                  {formats.shortMoment(updatedAtMs, Date.now())}
                </span>
              </span>
            </ListLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The next run in the profile's zone, and below it in this computer's zone if the zones differ. */
export function NextRun(props: {
  task: Pick<ScheduleView, 'nextDueAtMs' | 'state'>;
  zone: string;
}): ReactElement {
  const { task, zone } = props;
  const { nextDueAtMs: atMs, state } = task;
  if (atMs === null) return <span>None</span>;
  const own = localMoment(atMs, zone);
  return (
    <>
      {state === 'suspended' && <span>Suspended; planned for </span>}
      <span>{zonedMoment(atMs, zone)}</span>
      {own !== null && <span className={styles.own}>{own}</span>}
    </>
  );
}
