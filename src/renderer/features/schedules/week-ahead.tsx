import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { common, cx, ForeignText, pages, useFormats, useNow } from '#renderer/ui/index.ts';
import type { SchedulesView } from '#shared/app-api/index.ts';
import { serviceDay, weekAhead } from '#shared/campaign/index.ts';
import { dateText, weekdayText } from '#shared/lib/date-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { isLive, returnPlace } from './schedule-words.ts';
import styles from './schedules.module.css';

interface Event {
  key: string;
  atMs: number;
  name: string;
  href: string;
  isReturn: boolean;
}

const maxPerDay = 2;

/** Lists the returns and scheduled runs of the next seven days, in one column for each day of the profile's zone. */
export function WeekAhead({ view }: { view: SchedulesView }): ReactElement {
  const formats = useFormats();
  const { zone } = view;
  const nowMs = useNow(60_000) + useStore(sessionStore, serviceAheadMs);
  const days = weekAhead(nowMs, zone);
  const byDay = Map.groupBy(eventsOf(view, nowMs, formats), ({ atMs }) => serviceDay(atMs, zone).date);
  return (
    <section className={styles.ahead} aria-labelledby="week-ahead">
      <header className={common.spread}>
        <h2 id="week-ahead" className={pages.smallHeading}>
          Next 7 days
        </h2>
        <span className={common.quiet}>{zone}</span>
      </header>
      <ol className={styles.week}>
        {days.map((date, index) => (
          <Day key={date} date={date} isToday={index === 0} events={byDay.get(date) ?? []} zone={zone} />
        ))}
      </ol>
    </section>
  );
}

interface DayProps {
  date: string;
  isToday: boolean;
  events: readonly Event[];
  zone: string;
}

function Day({ date, isToday, events, zone }: DayProps): ReactElement {
  const name = `${weekdayText(date)} ${dateText(date, Number(date.slice(0, 4)))}`;
  const more = events.length - maxPerDay;
  return (
    <li className={styles.day} aria-label={name}>
      <span
        className={cx(styles.dayName, isToday && styles.today)}
        aria-current={isToday ? 'date' : undefined}
      >
        {name}
      </span>
      {events.slice(0, maxPerDay).map(({ key, atMs, name: what, href, isReturn }) => (
        <a key={key} href={href} className={cx(styles.event, isReturn && styles.return)}>
          <span className={common.medium}>{serviceDay(atMs, zone).time}</span>
          <span className={styles.eventName}>
            <ForeignText text={what} />
          </span>
        </a>
      ))}
      {more > 0 && <span className={common.quiet}>{more} more</span>}
    </li>
  );
}

function eventsOf({ returns, tasks }: SchedulesView, nowMs: number, formats: Formats): Event[] {
  const ofReturns = returns
    .filter(({ state, atMs }) => state === 'planned' && atMs > nowMs)
    .map(({ id, atMs, pausedCount, changedCount }) => ({
      key: id,
      atMs,
      name: `${formats.counted(pausedCount - changedCount, 'campaign')} return`,
      href: routeHref({ page: 'schedules', id: returnPlace(id) }),
      isReturn: true,
    }));
  const ofTasks = tasks.filter(isLive).flatMap(({ id, name, what, runsAheadMs }) =>
    runsAheadMs
      .filter((atMs) => atMs > nowMs)
      .map((atMs) => ({
        key: `${id} ${atMs}`,
        atMs,
        name: name ?? what,
        href: routeHref({ page: 'schedules', id }),
        isReturn: false,
      })),
  );
  return [...ofReturns, ...ofTasks].toSorted((one, other) => one.atMs - other.atMs);
}
