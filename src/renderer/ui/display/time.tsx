import { hasTimeLimit, lastMomentMs } from '#shared/lib/date-text.ts';
import { type ReactElement, useEffect, useState } from 'react';
import { cx } from '../cx.ts';
import styles from './values.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../formats.ts';

/** Time left as `8:41`, or as `1:02:03` from one hour on. Never below `0:00`. */
export function remainingText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':').replace(/^0/u, '');
}

/**
 * An age in coarse steps, so that it changes rarely: `just now`, `40 s ago`, `4 min ago`, `2 h ago`, and `3 days ago`
 * from two days on.
 */
export function ageText(atMs: number, nowMs: number, formats: Formats): string {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1000));
  if (seconds < 10) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ago` : `${formats.counted(Math.floor(hours / 24), 'day')} ago`;
}

const ageEveryMs = 5_000;

/** The age of a time. It is redrawn only when its text changes. `aheadMs` is the lead of the service's clock. */
export function Age({ atMs, aheadMs = 0 }: { atMs: number; aheadMs?: number }): ReactElement {
  const formats = useFormats();
  const text = (): string => ageText(atMs, Date.now() + aheadMs, formats);
  const [, redraw] = useState(text);
  useEffect(() => {
    const timer = setInterval(() => redraw(text()), ageEveryMs);
    return () => clearInterval(timer);
  });
  return <span>{text()}</span>;
}

export function useNow(everyMs = 1000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

export function useLongerThan(milliseconds: number, active: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    setPassed(false);
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [active, milliseconds]);
  return active && passed;
}

const shortMs = 60_000;

/** Not announced, because it changes every second. The title contains the time. */
function Until(props: { untilMs: number; text: (nowMs: number) => string }): ReactElement {
  const { untilMs, text } = props;
  const nowMs = useNow();
  return (
    <time
      className={cx(styles.time, untilMs - nowMs < shortMs && styles.short)}
      dateTime={untilMs < lastMomentMs ? new Date(untilMs).toISOString() : undefined}
    >
      {text(nowMs)}
    </time>
  );
}

export function Countdown({ untilMs }: { untilMs: number }): ReactElement {
  return <Until untilMs={untilMs} text={(nowMs) => remainingText(untilMs - nowMs)} />;
}

export function TimeLeft({ untilMs }: { untilMs: number }): ReactElement {
  const formats = useFormats();
  return <Until untilMs={untilMs} text={(nowMs) => formats.timeLeft(untilMs, nowMs)} />;
}

/** The title for a time limit. Undefined if there is no limit. */
export function untilTitle(untilMs: number, formats: Formats): string | undefined {
  return hasTimeLimit(untilMs, Date.now()) ? formats.moment(untilMs) : undefined;
}

export function useHasPassed(atMs: number | undefined): boolean {
  const nowMs = useNow();
  return atMs !== undefined && nowMs >= atMs;
}
