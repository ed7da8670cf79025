import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { doctorStore, type Verdict, verdictOf } from './stores/doctor-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Banner,
  Button,
  cx,
  EmptyState,
  Icon,
  type IconName,
  PageFrame,
  ProfileSign,
} from '#renderer/ui/index.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import styles from './doctor.module.css';
import { Step } from './steps.tsx';

/** The examination of a profile's service, step by step, with one remedy for each problem. */
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
      {failure && (
        <Banner flush tone="danger" title={failure.message}>
          {failure.next}
        </Banner>
      )}
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

/** The verdict over the whole examination, with what can be done with it. */
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
      <div className={styles.verdictBody}>
        <p className={styles.words} role="status">
          {words}
        </p>
        <p className={styles.aside}>
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
