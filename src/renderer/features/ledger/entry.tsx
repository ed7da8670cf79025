import type { ReactElement } from 'react';
import {
  dayText,
  exactClockText,
  ForeignText,
  Icon,
  type IconName,
  momentText,
  type PillTone,
} from '#renderer/ui/index.ts';
import type { LedgerEntry } from '#shared/app-api/index.ts';
import { EntryDetail } from './entry-detail.tsx';
import { EntryProfile } from './entry-profile.tsx';
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

interface KindLook {
  icon: IconName;
  tone: PillTone;
}

const looks: Record<string, KindLook> = {
  'proposal.proposed': { icon: 'proposals', tone: 'neutral' },
  'proposal.shown': { icon: 'monitor', tone: 'neutral' },
  'proposal.approved': { icon: 'check', tone: 'busy' },
  'proposal.denied': { icon: 'close', tone: 'neutral' },
  'proposal.expired': { icon: 'clock', tone: 'neutral' },
  'proposal.withdrawn': { icon: 'reset', tone: 'neutral' },
  'proposal.stale': { icon: 'warning', tone: 'waiting' },
  'write.intent': { icon: 'lock', tone: 'busy' },
  'write.waits': { icon: 'clock', tone: 'waiting' },
  'write.sent': { icon: 'arrow-up', tone: 'busy' },
  'write.verified': { icon: 'check-circle', tone: 'good' },
  'write.differs': { icon: 'alert-circle', tone: 'bad' },
  'write.done': { icon: 'check-circle', tone: 'good' },
  'write.refused': { icon: 'alert-circle', tone: 'bad' },
  'write.unknown': { icon: 'help', tone: 'waiting' },
  'key.introduced': { icon: 'shield-check', tone: 'neutral' },
};

/** Kinds of the same subject look alike where none of their own is told. */
const subjects: Record<string, KindLook> = {
  agent: { icon: 'agents', tone: 'neutral' },
  agents: { icon: 'pause', tone: 'waiting' },
  tool: { icon: 'info', tone: 'neutral' },
  guardrails: { icon: 'lock', tone: 'neutral' },
  panic: { icon: 'emergency-stop', tone: 'bad' },
};

/** The sign of a row's kind; the sentence beside it says the same. A kind of a newer program is a plain row. */
function kindLook(kind: string): KindLook {
  const [subject = ''] = kind.split('.');
  return looks[kind] ?? subjects[subject] ?? { icon: 'ledger', tone: 'neutral' };
}
