import { momentText, shortMomentText, useNow } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { expiryOf } from './expiry-words.ts';
import styles from './profiles.module.css';

const everyMs = 10_000;

const looks = { unknown: styles.detailSoft, later: undefined, soon: styles.warning, past: styles.past };

/** Until when the member token is good; louder once under an hour is left. */
export function ExpiryLine({ expiresAtMs }: { expiresAtMs: number | null }): ReactElement {
  const nowMs = useNow(everyMs);
  const { kind, words } = expiryOf(expiresAtMs, nowMs, shortMomentText);
  return (
    <p className={looks[kind]} title={expiresAtMs === null ? undefined : momentText(expiresAtMs)}>
      {words}
    </p>
  );
}
