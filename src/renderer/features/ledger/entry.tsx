import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { ledgerStore } from '#renderer/stores/ledger/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { undoOf, undoStore } from '#renderer/stores/undo/index.ts';
import {
  useFormats,
  Button,
  DiffLine,
  Disclosure,
  Fingerprint,
  ForeignText,
  Icon,
  type IconName,
  LongText,
  Mono,
  type PillTone,
  ProfileSign,
  Rule,
  UndoPart,
  VerdictList,
} from '#renderer/ui/index.ts';
import type { LedgerEntry, LedgerProfile } from '#shared/app-api/index.ts';
import styles from './entry.module.css';

export interface EntryProps {
  entry: LedgerEntry;
  /** The row above it, or null for the newest. */
  newer: LedgerEntry | null;
  open: boolean;
  onToggle: () => void;
}

/** One row: its time, sentence, actor and profile. Opens to its diff, verdict, hashes and exact body. */
export function Entry({ entry, newer, open, onToggle }: EntryProps): ReactElement {
  const formats = useFormats();
  const { icon, tone } = kindLook(entry.kind);
  const startsDay = newer === null || formats.day(newer.atMs) !== formats.day(entry.atMs);
  return (
    <article className={styles.entry} aria-label={`Row ${entry.seq}`}>
      {startsDay && <h2 className={styles.day}>{formats.day(entry.atMs)}</h2>}
      <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
        <span className={styles.chevron}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
        </span>
        <time
          className={styles.time}
          dateTime={new Date(entry.atMs).toISOString()}
          title={formats.moment(entry.atMs)}
        >
          {formats.exactClock(entry.atMs)}
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

/** Kinds of the same subject look alike unless they have a look of their own. */
const subjects: Record<string, KindLook> = {
  agent: { icon: 'agents', tone: 'neutral' },
  agents: { icon: 'pause', tone: 'waiting' },
  tool: { icon: 'info', tone: 'neutral' },
  guardrails: { icon: 'lock', tone: 'neutral' },
  'emergency-stop': { icon: 'emergency-stop', tone: 'bad' },
};

/** The sign of a row's kind; the sentence beside it says the same. A kind of a newer program is a plain row. */
function kindLook(kind: string): KindLook {
  const [subject = ''] = kind.split('.');
  return looks[kind] ?? subjects[subject] ?? { icon: 'ledger', tone: 'neutral' };
}

/** Details of a row: its changes and verdicts, its place in the chain, and the exact body that was signed. */
function EntryDetail({ entry }: { entry: LedgerEntry }): ReactElement {
  const { changes, verdicts, verdictCount, proposalId } = entry;
  return (
    <div className={styles.detail}>
      {changes.length > 0 && (
        <section aria-label="Changes">
          <Rule title="Changes" aside={`${changes.length}`} />
          {changes.map((change) => (
            <DiffLine key={change.field} change={change} />
          ))}
        </section>
      )}
      {(verdicts.length > 0 || verdictCount !== null) && (
        <section aria-label="Verdicts">
          <Rule title="Read back" />
          {verdictCount !== null && <p>{readBackWords(verdictCount, verdicts.length)}</p>}
          <VerdictList verdicts={verdicts} changed={changes.map((change) => change.field)} />
        </section>
      )}
      {proposalId !== null && written.has(entry.kind) && <UndoOf id={proposalId} />}
      <Seal entry={entry} />
      <RawBody body={entry.body} />
      {proposalId !== null && (
        <p className={styles.links}>
          <a href={routeHref({ page: 'proposals', id: proposalId })}>Open the proposal</a>
          <Button size="small" kind="quiet" onClick={() => ledgerStore.getState().filterBy(proposalId)}>
            Only this proposal’s rows
          </Button>
        </p>
      )}
    </div>
  );
}

/** Rows of a write that was read back, which may be taken back. */
const written: ReadonlySet<string> = new Set(['write.verified', 'write.differs', 'write.done']);

/** The undo of the change behind a row, as it stands now. */
function UndoOf({ id }: { id: string }): ReactElement | null {
  const undoing = useStore(undoStore);
  useEffect(() => undoStore.getState().watch(id), [id]);
  const undo = undoing.known[id] ?? null;
  if (undo === null) return null;
  return (
    <UndoPart
      undo={undo}
      {...undoOf(undoing, id)}
      hrefOf={(other) => routeHref({ page: 'proposals', id: other })}
      size="small"
    />
  );
}

/** The row lists only the fields that are not as asked. */
function readBackWords(count: number, others: number): string {
  const fields = (number: number): string => (number === 1 ? '1 field' : `${number} fields`);
  if (others === 0) return `${fields(count)} stored as proposed.`;
  return `${fields(count - others)} of ${count} stored as proposed; ${others === 1 ? 'the other one' : 'the others'}:`;
}

function Seal({ entry }: { entry: LedgerEntry }): ReactElement {
  const formats = useFormats();
  return (
    <dl className={styles.seal}>
      <dt>Written</dt>
      <dd>{formats.moment(entry.atMs)}</dd>
      <dt>Profile</dt>
      <dd>
        <EntryProfile profile={entry.profile} />
      </dd>
      <dt>Kind</dt>
      <dd>
        <Mono>{entry.kind}</Mono>
      </dd>
      <dt>Hash</dt>
      <dd>
        <Fingerprint hex={entry.hash} />
      </dd>
      <dt>Previous row</dt>
      <dd>
        <Fingerprint hex={entry.previousHash} />
      </dd>
      <dt>Signed with key</dt>
      <dd>
        <Fingerprint hex={entry.keyId} />
      </dd>
    </dl>
  );
}

function RawBody({ body }: { body: string }): ReactElement {
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  return (
    <Disclosure
      title="Exact body"
      aside={`${formats.count(body.length)} characters`}
      open={open}
      onToggle={setOpen}
    >
      {open && (
        <Mono block>
          <LongText text={body} />
        </Mono>
      )}
    </Disclosure>
  );
}

/** The profile of a row; a row about Countersign itself is of every profile. */
function EntryProfile({ profile }: { profile: LedgerEntry['profile'] }): ReactElement {
  if (profile === null) return <span className={styles.none}>All profiles</span>;
  return <ProfileSign kind={profile.kind} name={profileName(profile)} />;
}

/** The profile's name; one that was removed before anything was proposed for it has none any more. */
export function profileName({ id, name }: LedgerProfile): string {
  return name ?? `Removed profile ${id.slice(-6)}`;
}
