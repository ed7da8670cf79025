import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { homeHref } from './stores/home-route.ts';
import { masteryOf, resultsStore } from './stores/results-store.ts';
import {
  cx,
  common,
  useFormats,
  Button,
  Card,
  EmptyState,
  Icon,
  Mono,
  PageFrame,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { AttemptView, TrainingHome } from '#shared/app-api/index.ts';
import { durationText, faultWords, incompleteWords, missionWords } from '#shared/training/index.ts';
import { MasterySign } from './results-page.tsx';
import styles from './training.module.css';

export function ProgressPage({ home }: { home: TrainingHome }): ReactElement {
  const formats = useFormats();
  const reliable = home.progress.filter(({ isReliable }) => isReliable).length;
  return (
    <PageFrame
      title="Progress"
      count={`${reliable} of ${formats.counted(home.progress.length, 'kind')} of fault caught reliably`}
    >
      {home.attempts.length === 0 ? (
        <EmptyState
          icon="training"
          title="No attempts yet"
          action={<a href={homeHref({ page: 'missions' })}>Choose a mission</a>}
        >
          Finish a mission to see which faults you catch.
        </EmptyState>
      ) : (
        <div className={cx(common.stack, pages.scroll, styles.column)}>
          <FaultTable progress={home.progress} />
          <ResultFile keyFingerprint={home.keyFingerprint} />
          <Attempts attempts={home.attempts} />
        </div>
      )}
    </PageFrame>
  );
}

function FaultTable({ progress }: Pick<TrainingHome, 'progress'>): ReactElement {
  return (
    <Card title="By kind of fault" level={2}>
      <p className={common.soft}>
        Reliable: the last three were caught, in missions with more good changes approved than stopped.
      </p>
      <div className={styles.tableFrame}>
        <table className={cx(pages.selectable, styles.table)}>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col" className={styles.number}>
                Caught
              </th>
              <th scope="col">State</th>
              <th scope="col">How it shows</th>
            </tr>
          </thead>
          <tbody>
            {progress.map((fault) => (
              <tr key={fault.kind}>
                <th scope="row">{faultWords[fault.kind].title}</th>
                <td className={styles.number}>{fault.met === 0 ? '–' : `${fault.caught} of ${fault.met}`}</td>
                <td>
                  <MasterySign mastery={masteryOf(fault)} />
                </td>
                <td className={common.soft}>{faultWords[fault.kind].hint}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Attempts({ attempts }: { attempts: readonly AttemptView[] }): ReactElement {
  const formats = useFormats();
  return (
    <Card
      title="Attempts"
      level={2}
      aside={<span className={common.soft}>{formats.counted(attempts.length, 'attempt')}</span>}
    >
      <div className={styles.tableFrame}>
        <table className={cx(pages.selectable, styles.table)}>
          <thead>
            <tr>
              <th scope="col">Mission</th>
              <th scope="col">Finished</th>
              {['Points', 'Caught', 'False alarms', 'Per decision'].map((title) => (
                <th key={title} scope="col" className={styles.number}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ id, mission, endedAtMs, score, faults, incomplete }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={homeHref({ page: 'attempt', id })}>{missionWords[mission].title}</a>
                  {incomplete !== undefined && (
                    <span className={common.soft}> {incompleteWords[incomplete]}</span>
                  )}
                </th>
                <td>{formats.shortMoment(endedAtMs, Date.now())}</td>
                <td className={styles.number}>{faults.length === 0 ? '–' : score.points}</td>
                <td className={styles.number}>
                  {faults.length === 0
                    ? '–'
                    : `${faults.filter(({ isCaught }) => isCaught).length} of ${faults.length}`}
                </td>
                <td className={styles.number}>{score.falseAlarms}</td>
                <td className={styles.number}>
                  {score.medianMs === null ? '–' : durationText(score.medianMs)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function ResultFile({ keyFingerprint }: Pick<TrainingHome, 'keyFingerprint'>): ReactElement {
  const { doing, saved, refusal, save } = useStore(resultsStore);
  return (
    <Card
      title="Result file"
      level={2}
      actions={
        <Button icon="download" disabled={doing === 'save'} onClick={() => void save()}>
          Save result file…
        </Button>
      }
    >
      <p>A signed list of your attempts for your team lead.</p>
      <p className={common.soft}>
        Key of this computer: <Mono>{keyFingerprint}</Mono>
      </p>
      {saved !== null && (
        <p role="status" className={styles.sign}>
          <Icon name="check-circle" size={14} tone="good" /> Saved as {saved}
        </p>
      )}
      {refusal?.of === 'save' && <FailureBanner failure={refusal.failure} />}
    </Card>
  );
}
