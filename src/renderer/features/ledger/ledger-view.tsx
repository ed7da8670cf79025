import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { exportStore } from '#renderer/stores/ledger/export-store.ts';
import {
  isFiltering,
  hasOlder,
  isCut,
  ledgerStore,
  storiesOf,
} from '#renderer/stores/ledger/ledger-store.ts';
import { netEffectStore } from './stores/net-effect-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Age,
  Banner,
  EmptyState,
  ForeignText,
  PageFrame,
  Toast,
  VirtualList,
  FailureBanner,
  FailureState,
  FailureToast,
  Loading,
  Button,
  cx,
  Fingerprint,
  Icon,
  type IconName,
  common,
} from '#renderer/ui/index.ts';
import { Segments } from '#renderer/ui/report/index.ts';
import { ChangeRows } from './entry.tsx';
import { ClearFilters, FilterBar } from './filter-bar.tsx';
import styles from './ledger.module.css';
import { NetEffect } from './net-effect.tsx';
import type { LedgerReport } from '#shared/app-api/index.ts';

const closedRowHeight = 32;

export function LedgerView(): ReactElement {
  const formats = useFormats();
  const { list, filter } = useStore(ledgerStore);
  const [part, setPart] = useState<'rows' | 'effect'>('rows');
  const showsToday = useStore(
    uiStore,
    ({ route }) => route.page === 'ledger' && route.part === 'agents-today',
  );
  useEffect(() => ledgerStore.getState().start(), []);
  useEffect(() => {
    if (!showsToday) return;
    netEffectStore.getState().ask({ since: 'today', agentId: '' });
    setPart('effect');
  }, [showsToday]);
  return (
    <PageFrame
      title="Ledger"
      guide={routeHref({ page: 'guide', place: 'ledger' })}
      count={list && formats.counted(list.total, isFiltering(filter) ? 'matching row' : 'row')}
    >
      <Notices />
      <ChainState />
      <div className={styles.parts}>
        <Segments
          label="What is shown"
          value={part}
          options={[
            { id: 'rows', label: 'Changes' },
            { id: 'effect', label: 'Net effect of agents' },
          ]}
          onChange={(id) => {
            setPart(id);
            if (showsToday) uiStore.getState().navigate({ page: 'ledger' });
          }}
        />
        <a className={styles.decisions} href={routeHref({ page: 'decisions' })}>
          Your decisions
        </a>
      </div>
      {part === 'rows' ? (
        <>
          <FilterBar />
          <div className={styles.rows}>
            <Rows />
          </div>
        </>
      ) : (
        <NetEffect />
      )}
      <ExportToast />
    </PageFrame>
  );
}

function Rows(): ReactElement {
  const { list, filter, opened, toggle, readOlder, failure } = useStore(ledgerStore);
  const stories = useMemo(() => storiesOf(list?.entries ?? []), [list]);
  if (!list) {
    return failure ? (
      <FailureState failure={failure} />
    ) : (
      <Loading label="Reading the ledger" widths={['56%', '44%', '62%', '50%']} />
    );
  }
  if (list.total === 0 && isFiltering(filter)) {
    return <EmptyState icon="search-none" title="No matching entries" action={<ClearFilters />} />;
  }
  if (list.total === 0) {
    return (
      <EmptyState icon="ledger" title="No entries yet" action={<a href="#/campaigns">Open the campaigns</a>}>
        Every change and decision is recorded here, signed.
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Changes, newest first"
      items={stories}
      keyOf={({ key }) => key}
      estimatedHeight={closedRowHeight}
      onEndNear={readOlder}
      end={hasOlder(list) ? <p className={styles.end}>Reading older rows…</p> : undefined}
      render={(story, index) => (
        <ChangeRows
          story={story}
          newer={stories[index - 1] ?? null}
          opened={opened}
          onToggle={toggle}
          isCut={isCut(story, hasOlder(list))}
        />
      )}
    />
  );
}

function Notices(): ReactElement | null {
  const { list, failure } = useStore(ledgerStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  if (connection.kind === 'lost') {
    // On the desktop, the window shows this above every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        It last answered <Age atMs={connection.sinceMs} />; this page tries again by itself.
      </Banner>
    );
  }
  if (!failure || !list) return null;
  return (
    <FailureBanner flush tone="warning" failure={failure}>
      This page may be out of date.
    </FailureBanner>
  );
}

function ExportToast(): ReactElement | null {
  const formats = useFormats();
  const { flow, dismiss } = useStore(exportStore);
  if (flow.kind === 'failed') return <FailureToast failure={flow.failure} onDismiss={dismiss} />;
  if (flow.kind !== 'exported') return null;
  return (
    <Toast tone="good" title={`${formats.counted(flow.rows, 'row')} exported.`} onDismiss={dismiss}>
      <ForeignText text={flow.name} /> verifies with <code>countersign verify-ledger</code>.
    </Toast>
  );
}

type Look = LedgerReport['state'] | 'unanchored' | 'qualified';

const looks: Record<Look, { icon: IconName; words: string }> = {
  verified: { icon: 'shield-check', words: 'Ledger verified' },
  qualified: { icon: 'warning', words: 'Rows verified, with a warning' },
  unanchored: { icon: 'warning', words: 'The ledger’s anchor cannot be written' },
  broken: { icon: 'alert-circle', words: 'The ledger does not verify' },
  unchecked: { icon: 'help', words: 'Not verified yet' },
};

/** Rows without an anchor, a restored backup and a lost key come first, because they are more important than verified rows. */
function lookOf(report: LedgerReport): Look {
  const { state, anchorFailedSinceMs, restores } = report;
  if (state !== 'broken' && anchorFailedSinceMs !== null) return 'unanchored';
  const isQualified = unendorsedOf(report).length > 0 || (restores ?? []).length > 0;
  return state === 'verified' && isQualified ? 'qualified' : state;
}

const unendorsedOf = ({ keys }: LedgerReport): LedgerReport['keys'] =>
  keys.filter((key, index) => index > 0 && !key.endorsed);

function ChainState(): ReactElement | null {
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
  const moments = Object.entries({ sealed: report.sealedAtMs, checked: report.checkedAtMs });
  return (
    <p className={styles.facts}>
      {moments.map(
        ([word, atMs]) =>
          atMs !== null && (
            <span key={word} title={formats.moment(atMs)}>
              {word} {formats.shortMoment(atMs, Date.now())}
            </span>
          ),
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
    <div className={cx(common.stack1, styles.problem)}>
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
    <div className={cx(common.stack1, styles.problem)}>
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

/** Older rows may be missing after a restore, because the former head belongs to another ledger. */
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
