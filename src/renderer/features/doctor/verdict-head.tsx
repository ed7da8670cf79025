import { doctorStore, verdictOf, type Verdict } from '#renderer/stores/doctor/index.ts';
import { Button, cx, Icon, shortMomentText, type IconName } from '#renderer/ui/index.ts';
import type { DoctorReport } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './doctor.module.css';

const icons: Record<Verdict['kind'], IconName> = {
  running: 'refresh',
  well: 'check-circle',
  notices: 'warning',
  failed: 'alert-circle',
  stopped: 'minus',
};

/** The verdict over the whole examination, with what can be done with it. */
export function VerdictHead({ report }: { report: DoctorReport }): ReactElement {
  const { copied, examine, stop, copy } = useStore(doctorStore);
  const { kind, words, aside } = verdictOf(report);
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
          {report.endedAtMs !== null && ` · examined ${shortMomentText(report.endedAtMs, Date.now())}`}
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
