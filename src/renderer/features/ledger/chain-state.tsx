import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { useFormats, Button, cx, Fingerprint, Icon, type IconName, common } from '#renderer/ui/index.ts';
import type { LedgerReport } from '#shared/app-api/index.ts';
import styles from './ledger.module.css';

type Look = LedgerReport['state'] | 'unanchored' | 'qualified';

const looks: Record<Look, { icon: IconName; words: string }> = {
  verified: { icon: 'shield-check', words: 'Ledger verified' },
  qualified: { icon: 'warning', words: 'Rows verified, with a warning' },
  unanchored: { icon: 'warning', words: 'The ledger’s anchor cannot be written' },
  broken: { icon: 'alert-circle', words: 'The ledger does not verify' },
  unchecked: { icon: 'help', words: 'Not verified yet' },
};

/** Rows that no anchor protects, a restored backup and a lost key matter more than that all rows verify. */
function lookOf(report: LedgerReport): Look {
  const { state, anchorFailedSinceMs, restores } = report;
  if (state !== 'broken' && anchorFailedSinceMs !== null) return 'unanchored';
  const isQualified = unendorsedOf(report).length > 0 || (restores ?? []).length > 0;
  return state === 'verified' && isQualified ? 'qualified' : state;
}

const unendorsedOf = ({ keys }: LedgerReport): LedgerReport['keys'] =>
  keys.filter((key, index) => index > 0 && !key.endorsed);

export function ChainState(): ReactElement | null {
  const { report, verifying, verify } = useStore(ledgerStore);
  if (!report) return null;
  const look = lookOf(report);
  const { icon, words } = looks[look];
  return (
    <section className={cx(styles.chain, styles[look])} aria-label="State of the ledger">
      <span className={styles.sign}>
        <Icon name={icon} size={28} />
      </span>
      <div className={common.growNarrow}>
        <p
          className={cx(common.heading, styles.words)}
          role={look === 'broken' || look === 'unanchored' ? 'alert' : 'status'}
        >
          {verifying ? 'Verifying every row…' : words}
        </p>
        <Facts report={report} />
        {report.problem && <Problem problem={report.problem} />}
        <Anchor report={report} />
        <Keys report={report} />
        <Restores report={report} />
        {(look === 'verified' || look === 'qualified') && (
          <p className={styles.save}>Save this fingerprint elsewhere to detect a restored copy.</p>
        )}
      </div>
      <Button icon="refresh" disabled={verifying} onClick={() => void verify()}>
        Verify again
      </Button>
    </section>
  );
}

function Facts({ report }: { report: LedgerReport }): ReactElement {
  const formats = useFormats();
  const now = Date.now();
  return (
    <p className={styles.facts}>
      {report.sealedAtMs !== null && (
        <span title={formats.moment(report.sealedAtMs)}>
          sealed {formats.shortMoment(report.sealedAtMs, now)}
        </span>
      )}
      {report.checkedAtMs !== null && (
        <span title={formats.moment(report.checkedAtMs)}>
          checked {formats.shortMoment(report.checkedAtMs, now)}
        </span>
      )}
      {report.head !== '' && (
        <span className={styles.head}>
          fingerprint <Fingerprint hex={report.head} groups={4} />… <CopyHead head={report.head} />
        </span>
      )}
    </p>
  );
}

function Anchor({ report }: { report: LedgerReport }): ReactElement | null {
  const formats = useFormats();
  const { anchored, anchorFailedSinceMs, rows } = report;
  if (anchorFailedSinceMs === null) return null;
  const since = formats.moment(anchorFailedSinceMs);
  const behind = anchored === null ? 'The newest rows' : `Rows after ${formats.count(anchored)}`;
  const risk =
    rows === 0
      ? `The ledger has not been able to begin since ${since}.`
      : `${behind} could be cut off unnoticed since ${since}.`;
  return (
    <div className={styles.problem}>
      <p>{risk} No change is recorded or sent until the anchor can be written.</p>
      <p>
        Make room on the disk, make the data folder writable, or close the program that uses{' '}
        <code>ledger.anchor.json</code>.
      </p>
    </div>
  );
}

function CopyHead({ head }: { head: string }): ReactElement {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(head);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  }
  return (
    <Button kind="quiet" size="small" icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
      {copied ? 'Copied' : 'Copy fingerprint'}
    </Button>
  );
}

function Problem({ problem }: { problem: NonNullable<LedgerReport['problem']> }): ReactElement {
  const formats = useFormats();
  return (
    <div className={styles.problem}>
      <p>
        <strong>{problem.seq === null ? 'Outside the rows' : `Row ${formats.count(problem.seq)}`}:</strong>{' '}
        {problem.text} <span className={cx(common.soft, styles.code)}>{problem.code}</span>
      </p>
      <p>
        Approve nothing more from this data folder. Keep a copy of it as it is, then run{' '}
        <code>countersign verify-ledger</code> on the copy.
      </p>
    </div>
  );
}

/** A restored ledger says where it goes on from a backup: rows of before may be missing, and an older head is in another ledger. */
function Restores({ report }: { report: LedgerReport }): ReactElement | null {
  const formats = useFormats();
  const last = report.restores?.at(-1);
  if (last === undefined) return null;
  const { seq, previous } = last;
  return (
    <p className={styles.aside}>
      A backup was restored at row {formats.count(seq)}.{' '}
      {previous === null
        ? 'The ledger before it could not be read.'
        : `The ledger before it had ${formats.counted(previous.count, 'row')}; it is in the folder of replaced files.`}
    </p>
  );
}

function Keys({ report }: { report: LedgerReport }): ReactElement | null {
  const formats = useFormats();
  const unendorsed = unendorsedOf(report);
  const last = unendorsed.at(-1);
  if (last === undefined) return null;
  return (
    <p className={styles.aside}>
      {unendorsed.length === 1
        ? `The signing key changed at row ${formats.count(last.fromSeq)}`
        : `The signing key changed ${formats.count(unendorsed.length)} times, last at row ${formats.count(last.fromSeq)}`}
      . The key before was lost with its session and could not confirm the new one.
    </p>
  );
}
