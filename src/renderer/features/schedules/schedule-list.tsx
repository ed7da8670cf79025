import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  ForeignText,
  ListLink,
  Pill,
  QuotedText,
  useNow,
  cx,
  common,
} from '#renderer/ui/index.ts';
import type { ScheduleView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { creatorWords, isLive, ownMoment, runWords, stateLook, zonedMoment } from './schedule-words.ts';
import styles from './schedules.module.css';

export interface ScheduleListProps {
  tasks: readonly ScheduleView[];
  selectedId: string | null;
  zone: string;
}

export function ScheduleList({ tasks, selectedId, zone }: ScheduleListProps): ReactElement {
  const parts = [
    { title: 'Scheduled', tasks: tasks.filter(isLive) },
    { title: 'Past', tasks: tasks.filter((task) => !isLive(task)) },
  ].filter((part) => part.tasks.length > 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard scrolls only what can have the focus
    <div className={styles.lists} tabIndex={0} role="region" aria-label="Schedules">
      {parts.map((part) => (
        <section key={part.title} aria-label={part.title}>
          <h2 className={cx(common.smallHeading, styles.heading)}>
            {part.title} <span>{part.tasks.length}</span>
          </h2>
          <ul>
            {part.tasks.map((task) => (
              <Item key={task.id} task={task} selected={task.id === selectedId} zone={zone} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Item({
  task,
  selected,
  zone,
}: {
  task: ScheduleView;
  selected: boolean;
  zone: string;
}): ReactElement {
  const formats = useFormats();
  const { id, name, what, when, lastRun } = task;
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  const look = stateLook(task);
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
        <dl className={styles.facts}>
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
          <Pill {...look} />
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

/** In the profile's zone, and below it on this computer's clock where that differs. While a schedule is suspended, nothing runs. */
export function NextRun(props: {
  task: Pick<ScheduleView, 'nextDueAtMs' | 'state'>;
  zone: string;
}): ReactElement {
  const { task, zone } = props;
  const { nextDueAtMs: atMs, state } = task;
  if (atMs === null) return <span>None</span>;
  const own = ownMoment(atMs, zone);
  return (
    <>
      {state === 'suspended' && <span>Suspended; planned for </span>}
      <span>{zonedMoment(atMs, zone)}</span>
      {own !== null && <span className={styles.own}>{own}</span>}
    </>
  );
}
