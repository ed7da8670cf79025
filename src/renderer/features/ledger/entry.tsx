import { Fragment, type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type LedgerChange, ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { undoOf, undoStore } from '#renderer/stores/undo-store.ts';
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
  common,
  cx,
  pages,
} from '#renderer/ui/index.ts';
import type { LedgerEntry, LedgerProfile } from '#shared/app-api/index.ts';
import styles from './ledger.module.css';

interface StoryProps {
  story: LedgerChange;
  newer: LedgerChange | null;
  opened: ReadonlySet<number | string>;
  onToggle: (row: number | string) => void;
  isCut: boolean;
}

export function ChangeRows({ story, newer, opened, onToggle, isCut }: StoryProps): ReactElement {
  const formats = useFormats();
  const { key, newest, rows } = story;
  const startsDay = newer === null || formats.day(newer.newest.atMs) !== formats.day(newest.atMs);
  const isOne = rows.length === 1;
  const row = isOne ? newest.seq : key;
  const open = opened.has(row);
  return (
    <article
      className={pages.lineBelow}
      aria-label={isOne ? `Row ${newest.seq}` : `Rows ${rows.at(-1)?.seq ?? ''} to ${newest.seq}`}
    >
      {startsDay && <h2 className={cx(pages.smallHeading, styles.day)}>{formats.day(newest.atMs)}</h2>}
      <RowButton
        entry={newest}
        number={isOne ? String(newest.seq) : formats.counted(rows.length, 'row')}
        actor={isOne ? <Actor entry={newest} /> : <ForeignText text={actorsOf(rows).join(' → ')} />}
        open={open}
        onToggle={() => onToggle(row)}
      />
      {open && isOne && (
        <EntryDetail entry={newest}>
          <ChangeParts rows={rows} />
        </EntryDetail>
      )}
      {open && !isOne && (
        <div className={styles.story}>
          <div className={styles.storyHead}>
            <ChangeParts rows={rows} />
            {isCut && <p className={common.soft}>Older rows of this change are not loaded yet.</p>}
          </div>
          <ol className={styles.nested}>
            {rows.map((entry) => (
              <li key={entry.seq} aria-label={`Row ${entry.seq}`}>
                <RowButton
                  entry={entry}
                  number={String(entry.seq)}
                  actor={<Actor entry={entry} />}
                  open={opened.has(entry.seq)}
                  onToggle={() => onToggle(entry.seq)}
                />
                {opened.has(entry.seq) && <EntryDetail entry={entry} />}
              </li>
            ))}
          </ol>
        </div>
      )}
    </article>
  );
}

interface RowButtonProps {
  entry: LedgerEntry;
  number: string;
  actor: ReactNode;
  open: boolean;
  onToggle: () => void;
}

function RowButton({ entry, number, actor, open, onToggle }: RowButtonProps): ReactElement {
  const formats = useFormats();
  const { icon, tone } = kindLook(entry.kind);
  return (
    <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
      <span className={cx(common.faint, styles.chevron)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
      </span>
      <time
        className={cx(common.neutral, pages.tabular)}
        dateTime={new Date(entry.atMs).toISOString()}
        title={formats.moment(entry.atMs)}
      >
        {formats.exactClock(entry.atMs)}
      </time>
      <span className={styles.seq}>{number}</span>
      <span className={styles.icon}>
        <Icon name={icon} tone={tone} />
      </span>
      <span className={styles.summary}>
        <ForeignText text={entry.summary} />
      </span>
      <span className={styles.profile}>
        <EntryProfile profile={entry.profile} />
      </span>
      <span className={styles.actor}>{actor}</span>
    </button>
  );
}

function Actor({ entry: { actor, via } }: { entry: LedgerEntry }): ReactElement {
  return (
    <>
      <ForeignText text={actor} />
      {via !== null && <span className={common.soft}> · {via}</span>}
    </>
  );
}

const countersign = 'Countersign';

function actorsOf(rows: readonly LedgerEntry[]): string[] {
  const people = new Set(rows.toReversed().map(({ actor }) => actor));
  if (people.size > 1) people.delete(countersign);
  return [...people];
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

const subjects: Record<string, KindLook> = {
  agent: { icon: 'agents', tone: 'neutral' },
  agents: { icon: 'pause', tone: 'waiting' },
  tool: { icon: 'info', tone: 'neutral' },
  guardrails: { icon: 'lock', tone: 'neutral' },
  'emergency-stop': { icon: 'emergency-stop', tone: 'bad' },
};

/** Unknown kinds get a default look, because a newer version may have written them. */
function kindLook(kind: string): KindLook {
  const [subject = ''] = kind.split('.');
  return looks[kind] ?? subjects[subject] ?? { icon: 'ledger', tone: 'neutral' };
}

function EntryDetail({ entry, children }: { entry: LedgerEntry; children?: ReactNode }): ReactElement {
  const { changes, verdicts, verdictCount } = entry;
  return (
    <div className={cx(common.stack4, styles.detail)}>
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
      {children}
      <Seal entry={entry} />
      <RawBody body={entry.body} />
    </div>
  );
}

function ChangeParts({ rows }: { rows: readonly LedgerEntry[] }): ReactElement | null {
  const { filter, filterBy } = useStore(ledgerStore);
  const id = rows[0]?.proposalId ?? null;
  if (id === null) return null;
  return (
    <>
      {rows.some(({ kind }) => written.has(kind)) && <UndoOf id={id} />}
      <p className={common.row3}>
        <a href={routeHref({ page: 'proposals', id })}>Open the proposal</a>
        {filter.proposalId === null && (
          <Button size="small" kind="quiet" onClick={() => filterBy(id)}>
            Show only this change
          </Button>
        )}
      </p>
    </>
  );
}

const written: ReadonlySet<string> = new Set(['write.verified', 'write.differs', 'write.done']);

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

/** `others` of `count` fields were stored differently. */
function readBackWords(count: number, others: number): string {
  const fields = (number: number): string => (number === 1 ? '1 field' : `${number} fields`);
  if (others === 0) return `${fields(count)} stored as proposed.`;
  return `${fields(count - others)} of ${count} stored as proposed; ${others === 1 ? 'the other one' : 'the others'}:`;
}

function Seal({ entry }: { entry: LedgerEntry }): ReactElement {
  const formats = useFormats();
  const facts: Record<string, ReactNode> = {
    Written: formats.moment(entry.atMs),
    Profile: <EntryProfile profile={entry.profile} />,
    Kind: <Mono>{entry.kind}</Mono>,
    Hash: <Fingerprint hex={entry.hash} />,
    'Previous row': <Fingerprint hex={entry.previousHash} />,
    'Signed with key': <Fingerprint hex={entry.keyId} />,
  };
  return (
    <dl className={styles.seal}>
      {Object.entries(facts).map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
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

function EntryProfile({ profile }: { profile: LedgerEntry['profile'] }): ReactElement {
  if (profile === null) return <span className={common.soft}>All profiles</span>;
  return <ProfileSign kind={profile.kind} name={profileName(profile)} />;
}

export function profileName({ id, name }: LedgerProfile): string {
  return name ?? `Removed profile ${id.slice(-6)}`;
}
