import { signInStore } from '#renderer/stores/profiles/sign-in-store.ts';
import { schedulesStore } from '#renderer/stores/schedules/schedules-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Age,
  Banner,
  Button,
  cx,
  EmptyState,
  FailureAction,
  PageFrame,
  common,
  FailureState,
  Loading,
  ForeignText,
  ListLink,
  Pill,
  QuotedText,
  useNow,
  ListAndDetail,
  ListHeading,
} from '#renderer/ui/index.ts';
import type { SchedulesView as View, ScheduleView } from '#shared/app-api/index.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { ReportDialog } from './report-dialog.tsx';
import { ScheduleDetail, NextRun } from './schedule-detail.tsx';
import { ReturnDetail, ReturnItem } from './return-detail.tsx';
import { creatorWords, isLive, isOpenReturn, returnPlace, runWords, stateLook } from './schedule-words.ts';
import { WeekAhead } from './week-ahead.tsx';
import { missingScopesText } from '#shared/wording/index.ts';
import styles from './schedules.module.css';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';

export function SchedulesView({ selectedId }: { selectedId: string | null }): ReactElement {
  const { view, failure, form, errors } = useStore(schedulesStore);
  const { start, refresh, openForm } = schedulesStore.getState();
  useEffect(() => start(), [start]);
  const hasBar = view?.access === 'ready' && hasEntries(view);
  return (
    <PageFrame
      title="Schedules"
      count={<Head view={view} />}
      guide={routeHref({ page: 'guide', place: 'reports/schedules' })}
    >
      {hasBar && (
        <div className={cx(common.wrap2, styles.bar)}>
          <Button kind="primary" icon="plus" disabled={view.missing.length > 0} onClick={() => openForm()}>
            Schedule a report…
          </Button>
          <Button icon="refresh" disabled={view.state === 'reading'} onClick={refresh}>
            {view.state === 'reading' ? 'Refreshing…' : 'Refresh'}
          </Button>
        </div>
      )}
      {view !== null && <Notices view={view} />}
      {view === null ? (
        failure === null ? (
          reading
        ) : (
          <FailureState failure={failure} />
        )
      ) : (
        <>
          {hasEntries(view) && <WeekAhead view={view} />}
          <Content view={view} selectedId={selectedId} />
        </>
      )}
      {form !== null && view?.access === 'ready' && view.missing.length === 0 && (
        <ReportDialog form={form} errors={errors} sources={view.sources} zone={view.zone} />
      )}
    </PageFrame>
  );
}

const hasEntries = ({ returns, tasks, access }: View): boolean =>
  returns.length > 0 || (access === 'ready' && tasks.length > 0);

function Head({ view }: { view: View | null }): ReactElement | null {
  if (view?.access !== 'ready' || view.readAtMs === null) return null;
  const live = view.tasks.filter(isLive).length;
  const counts = Object.entries({ scheduled: live, past: view.tasks.length - live });
  return (
    <>
      <span>{counts.map(([word, count]) => (count > 0 ? `${count} ${word} · ` : '')).join('')}read </span>
      <Age atMs={view.readAtMs} />
    </>
  );
}

function Notices({ view }: { view: View }): ReactElement {
  const formats = useFormats();
  const { access, missing, failure, readAtMs, unreadable, profileId } = view;
  async function request(): Promise<void> {
    const scopes = [...new Set([...view.granted, ...missing])];
    uiStore.getState().navigate({ page: 'profiles', id: profileId });
    await signInStore.getState().begin(profileId, scopes);
  }
  return (
    <>
      {access === 'ready' && missing.length > 0 && (
        <Banner
          flush
          tone="warning"
          title="The sign-in does not cover schedules."
          actions={<Button onClick={() => void request()}>Request access…</Button>}
        >
          {missingScopesText(missing)}
        </Banner>
      )}
      {view.returns.length > 0 && access !== 'ready' && (
        <Banner
          flush
          tone="info"
          title={access === 'direct' ? 'Schedules need a sign-in' : 'Sign in to see schedules'}
          actions={<a href={routeHref({ page: 'profiles', id: profileId })}>Open the profile</a>}
        >
          Returns of paused campaigns need none.
        </Banner>
      )}
      {view.returns.length > 0 && access === 'ready' && failure !== null && readAtMs === null && (
        <Banner flush tone="warning" icon="offline" title={failure.message}>
          Schedules keep running. {failure.next}
        </Banner>
      )}
      {access === 'ready' && failure !== null && readAtMs !== null && (
        <Banner flush tone="warning" icon="offline" title={failure.message}>
          Read <Age atMs={readAtMs} />; schedules keep running. {failure.next}
        </Banner>
      )}
      {unreadable > 0 && (
        <Banner
          flush
          tone="info"
          title={`${formats.counted(unreadable, 'schedule')} of the service can’t be read or listed.`}
        />
      )}
    </>
  );
}

function Content({ view, selectedId }: { view: View; selectedId: string | null }): ReactElement {
  const { access, profileId, failure, readAtMs, tasks, returns, missing } = view;
  if (returns.length > 0) return <Lists view={view} selectedId={selectedId} />;
  const profileHref = routeHref({ page: 'profiles', id: profileId });
  if (access === 'direct') {
    return (
      <EmptyState icon="schedules" title="Schedules need a sign-in">
        Sign in through the browser: a member token can’t open them.
      </EmptyState>
    );
  }
  if (access === 'signed-out') {
    return (
      <EmptyState
        icon="schedules"
        title="Sign in to see schedules"
        action={<a href={profileHref}>Open the profile</a>}
      >
        Schedules keep running meanwhile.
      </EmptyState>
    );
  }
  if (readAtMs === null && failure !== null) {
    const step =
      failure.code === 'sign_in_needed' || failure.code === 'scope_needed' ? 'Open the profile' : null;
    return (
      <EmptyState
        icon="alert-circle"
        title={failure.message}
        action={<FailureAction step={step} href={profileHref} onRetry={schedulesStore.getState().refresh} />}
      >
        Schedules keep running. {failure.next}
      </EmptyState>
    );
  }
  if (readAtMs === null) return reading;
  if (tasks.length === 0) return <Nothing disabled={missing.length > 0} />;
  return <Lists view={view} selectedId={selectedId} />;
}

function Lists({ view, selectedId }: { view: View; selectedId: string | null }): ReactElement {
  const { returns, zone, missing, access } = view;
  const tasks = access === 'ready' ? view.tasks : [];
  const selected = tasks.find(({ id }) => id === selectedId) ?? null;
  const selectedReturn = returns.find(({ id }) => returnPlace(id) === selectedId) ?? null;
  const isNothingChosen = selected === null && selectedReturn === null;
  return (
    <ListAndDetail
      wide
      label="Schedule details"
      list={<ScheduleList tasks={tasks} returns={returns} selectedId={selectedId} zone={zone} />}
      back={
        isNothingChosen ? null : { href: routeHref({ page: 'schedules', id: null }), name: 'All schedules' }
      }
      detail={
        selectedReturn !== null ? (
          <ReturnDetail key={selectedReturn.id} one={selectedReturn} zone={zone} />
        ) : selected === null ? (
          <EmptyState icon="schedules" title="Select a schedule" />
        ) : (
          <ScheduleDetail key={selected.id} task={selected} zone={zone} mayCancel={missing.length === 0} />
        )
      }
    />
  );
}

function Nothing({ disabled }: { disabled: boolean }): ReactElement {
  return (
    <EmptyState
      icon="schedules"
      title="No schedules yet"
      action={
        <Button
          kind="primary"
          icon="plus"
          disabled={disabled}
          onClick={() => schedulesStore.getState().openForm()}
        >
          Schedule a report…
        </Button>
      }
    >
      The service makes reports, and prepares changes for your approval, at set times. Campaigns that you
      pause until a time return from here.
    </EmptyState>
  );
}

const reading = <Loading label="Reading the schedules" widths={['60%', '80%', '50%', '70%']} />;

interface ScheduleListProps {
  tasks: readonly ScheduleView[];
  returns: View['returns'];
  selectedId: string | null;
  zone: string;
}

function ScheduleList({ tasks, returns, selectedId, zone }: ScheduleListProps): ReactElement {
  const parts = [
    { title: 'Returns of paused campaigns', tasks: [], returns: returns.filter(isOpenReturn) },
    { title: 'Scheduled', tasks: tasks.filter(isLive), returns: [] },
    {
      title: 'Past',
      tasks: tasks.filter((task) => !isLive(task)),
      returns: returns.filter((one) => !isOpenReturn(one)).toReversed(),
    },
  ].filter((part) => part.tasks.length + part.returns.length > 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard scrolls only what can have the focus
    <div tabIndex={0} role="region" aria-label="Schedules">
      {parts.map((part) => (
        <section key={part.title} aria-label={part.title}>
          <ListHeading title={part.title} count={part.tasks.length + part.returns.length} />
          <ul>
            {part.returns.map((one) => (
              <ReturnItem key={one.id} one={one} selected={returnPlace(one.id) === selectedId} zone={zone} />
            ))}
            {part.tasks.map((task) => (
              <Item key={task.id} task={task} selected={task.id === selectedId} zone={zone} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Item(props: { task: ScheduleView; selected: boolean; zone: string }): ReactElement {
  const { task, selected, zone } = props;
  const formats = useFormats();
  const { id, name, what, when, lastRun } = task;
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  return (
    <li>
      <ListLink
        id={`schedule-${id}`}
        href={routeHref({ page: 'schedules', id })}
        className={styles.item}
        selected={selected}
      >
        <span className={cx(common.medium, common.breaks)}>
          {name === null ? <ForeignText text={what} /> : <QuotedText text={name} />}
        </span>
        <span className={cx(common.quiet, common.breaks)}>
          {name !== null && (
            <>
              <ForeignText text={what} />
              <span>. </span>
            </>
          )}
          <ForeignText text={when} />
        </span>
        <dl className={cx(common.small, styles.facts)}>
          <Fact term="Next run">
            <NextRun task={task} zone={zone} />
          </Fact>
          <Fact term="Last run">
            {lastRun === null ? (
              'None yet'
            ) : (
              <>
                <ForeignText text={runWords(lastRun, formats)} />
                <span>, {formats.shortMoment(lastRun.ranAtMs, nowMs)}</span>
              </>
            )}
          </Fact>
          <Fact term="Created by">
            <ForeignText text={creatorWords(task)} />
          </Fact>
        </dl>
        <span className={styles.state}>
          <Pill {...stateLook(task)} />
        </span>
      </ListLink>
    </li>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }): ReactElement {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
