import type { LedgerEntry } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { dayText, exactClockText, ForeignText, Icon, momentText } from '#renderer/ui/index.ts';
import { EntryDetail } from './entry-detail.tsx';
import { EntryProfile } from './entry-profile.tsx';
import { kindLook } from './kind-look.ts';
import styles from './entry.module.css';

export interface EntryProps {
  entry: LedgerEntry;
  /** The row above it, or null for the newest. */
  newer: LedgerEntry | null;
  open: boolean;
  onToggle: () => void;
}

/** One row: when, what in one sentence, who and where. Opens to its diff, verdict, hashes and exact body. */
export function Entry({ entry, newer, open, onToggle }: EntryProps): ReactElement {
  const { icon, tone } = kindLook(entry.kind);
  const startsDay = newer === null || dayText(newer.atMs) !== dayText(entry.atMs);
  return (
    <article className={styles.entry} aria-label={`Row ${entry.seq}`}>
      {startsDay && <h2 className={styles.day}>{dayText(entry.atMs)}</h2>}
      <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
        <span className={styles.chevron}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
        </span>
        <time
          className={styles.time}
          dateTime={new Date(entry.atMs).toISOString()}
          title={momentText(entry.atMs)}
        >
          {exactClockText(entry.atMs)}
        </time>
        <span className={styles.seq}>{entry.seq}</span>
        <span className={styles.icon}>
          <Icon name={icon} tone={tone} />
        </span>
        <span className={styles.summary}>
          <ForeignText text={entry.summary} />
        </span>
        <span className={styles.profile}>
          <EntryProfile profile={entry.profile} />
        </span>
        <span className={styles.actor}>
          <ForeignText text={entry.actor} />
          {entry.via !== null && <span className={styles.via}> · {entry.via}</span>}
        </span>
      </button>
      {open && <EntryDetail entry={entry} />}
    </article>
  );
}
