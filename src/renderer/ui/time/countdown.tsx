import type { ReactElement } from 'react';
import { cx } from '../cx.ts';
import styles from '../display/values.module.css';
import { remainingText } from './time-text.ts';
import { useNow } from './use-now.ts';

/** From here on the time left is drawn as a warning, in milliseconds. */
const shortMs = 60_000;

/** Time left until a moment, counting down. Not announced every second: the moment itself stands in the title. */
export function Countdown({ untilMs }: { untilMs: number }): ReactElement {
  const nowMs = useNow();
  const leftMs = untilMs - nowMs;
  return (
    <time
      className={cx(styles.time, leftMs < shortMs && styles.short)}
      dateTime={new Date(untilMs).toISOString()}
    >
      {remainingText(leftMs)}
    </time>
  );
}
