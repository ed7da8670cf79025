import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { doctorStore, type Verdict, verdictOf, lineCount } from './stores/doctor-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  FailureBanner,
  Button,
  cx,
  EmptyState,
  Icon,
  type IconName,
  PageFrame,
  ProfileSign,
  Disclosure,
  ForeignText,
  Pill,
  type PillTone,
  Skeleton,
  common,
} from '#renderer/ui/index.ts';
import type { DoctorReport, ContractFinding, DoctorStep } from '#shared/app-api/index.ts';
import styles from './doctor.module.css';

export function DoctorView({ profileId }: { profileId: string }): ReactElement {
  const { report, failure, examine } = useStore(doctorStore);
  const profile = useStore(profilesStore, ({ list }) => list?.items.find(({ id }) => id === profileId));
  useEffect(() => doctorStore.getState().start(), []);
  const shown = report?.profileId === profileId ? report : null;
  return (
    <PageFrame
      title="Doctor"
      count={profile && <ProfileSign kind={profile.kind} name={profile.name} />}
      guide={routeHref({ page: 'guide', place: 'live-services/if-something-does-not-work' })}
    >
      {failure && <FailureBanner flush failure={failure} />}
      {shown === null ? (
        <EmptyState
          icon="doctor"
          title="Examine this service"
          action={
            <Button kind="primary" onClick={() => void examine(profileId)}>
              Examine
            </Button>
          }
        >
          Countersign checks everything that the contract promises, by reads only, and says what works and how
          to fix what does not. Nothing is changed.
        </EmptyState>
      ) : (
        <div className={styles.scroll}>
          <VerdictHead report={shown} />
          <ol className={styles.steps} aria-label="Steps of the examination">
            {shown.steps.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </div>
      )}
    </PageFrame>
  );
}

const icons: Record<Verdict['kind'], IconName> = {
  running: 'refresh',
  well: 'check-circle',
  notices: 'warning',
  failed: 'alert-circle',
  stopped: 'minus',
};

function VerdictHead({ report }: { report: DoctorReport }): ReactElement {
  const formats = useFormats();
  const { copied, examine, stop, copy } = useStore(doctorStore);
  const { kind, words, aside } = verdictOf(report, formats);
  const { profileId } = report;
  return (
    <section className={cx(styles.verdictHead, styles[`verdict-${kind}`])} aria-label="Verdict">
      <span className={styles.verdictSign}>
        <Icon name={icons[kind]} size={28} />
      </span>
      <div className={common.growNarrow}>
        <p className={cx(common.heading, styles.words)} role="status">
          {words}
        </p>
        <p className={common.neutral}>
          {aside}
          {report.endedAtMs !== null && (
            <span>{` · examined ${formats.shortMoment(report.endedAtMs, Date.now())}`}</span>
          )}
        </p>
      </div>
      {kind === 'running' ? (
        <Button onClick={() => void stop()}>Stop</Button>
      ) : (
        <>
          <Button icon={copied ? 'check' : 'copy'} disabled={report.text === ''} onClick={() => void copy()}>
            {copied ? 'Copied' : 'Copy report'}
          </Button>
          {profileId !== null && (
            <Button icon="refresh" onClick={() => void examine(profileId)}>
              Examine again
            </Button>
          )}
        </>
      )}
    </section>
  );
}

const stepLooks: Record<DoctorStep['state'], { icon: IconName; word: string }> = {
  waiting: { icon: 'minus', word: 'waits' },
  running: { icon: 'refresh', word: 'asking' },
  ok: { icon: 'check-circle', word: 'ok' },
  notice: { icon: 'warning', word: 'remark' },
  failed: { icon: 'alert-circle', word: 'failed' },
  skipped: { icon: 'minus', word: 'not asked' },
};

function Step({ step }: { step: DoctorStep }): ReactElement {
  const { icon, word } = stepLooks[step.state];
  return (
    <li className={cx(styles.step, styles[step.state])}>
      <span className={styles.stepSign}>
        <Icon name={icon} />
      </span>
      <div className={common.growNarrow}>
        <h2 className={styles.stepHead}>
          <span className={styles.title}>{step.title}</span>
          <span className={styles.word}>{word}</span>
          {step.tookMs !== null && (
            <span className={styles.took}>{Math.max(1, Math.round(step.tookMs))} ms</span>
          )}
        </h2>
        <Exchange step={step} />
        {step.means !== null && (
          <p className={styles.means}>
            <ForeignText text={step.means} />
          </p>
        )}
        {step.remedy !== null && (
          <p className={styles.remedy}>
            <Icon name="arrow-right" size={14} />
            <ForeignText text={step.remedy} />
          </p>
        )}
        {step.findings.length > 0 && <Findings findings={step.findings} />}
      </div>
    </li>
  );
}

function Exchange({ step }: { step: DoctorStep }): ReactElement | null {
  if (step.state === 'running') return <Skeleton width="44%" />;
  if (step.state === 'skipped' || (step.asked === '' && step.answer === '')) return null;
  return (
    <p className={cx(common.quiet, styles.exchange)}>
      {step.asked !== '' && <ForeignText text={step.asked} />}
      {step.answer !== '' && (
        <span className={common.neutral}>
          <ForeignText text={step.answer} />
        </span>
      )}
    </p>
  );
}

const findingLooks: Record<ContractFinding['state'], { tone: PillTone; word: string }> = {
  holds: { tone: 'good', word: 'holds' },
  drifts: { tone: 'bad', word: 'drifts' },
  skipped: { tone: 'neutral', word: 'not asked' },
};

function Findings({ findings }: { findings: readonly ContractFinding[] }): ReactElement {
  const formats = useFormats();
  const { drifts = [], skipped = [], holds = [] } = Object.groupBy(findings, ({ state }) => state);
  return (
    <div className={styles.findings}>
      {drifts.length > 0 && <FindingList findings={drifts} />}
      {skipped.length > 0 && (
        <Disclosure
          title={lineCount(skipped.length, { one: 'was not asked', many: 'were not asked' }, formats)}
        >
          <FindingList findings={skipped} />
        </Disclosure>
      )}
      {holds.length > 0 && (
        <Disclosure title={lineCount(holds.length, { one: 'holds', many: 'hold' }, formats)}>
          <FindingList findings={holds} />
        </Disclosure>
      )}
    </div>
  );
}

function FindingList({ findings }: { findings: readonly ContractFinding[] }): ReactElement {
  return (
    <ul>
      {findings.map(({ id, clause, title, state, text }) => (
        <li key={id} className={styles.finding}>
          <Pill tone={findingLooks[state].tone} label={findingLooks[state].word} />
          <span className={styles.clause}>{clause}</span>
          <span className={styles.text}>
            {title}
            {text !== '' && (
              <span className={styles.quietLine}>
                <ForeignText text={text} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
