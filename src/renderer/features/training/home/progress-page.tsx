import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { homeHref } from '../stores/home-route.ts';
import { masteryOf, resultsStore } from '../stores/results-store.ts';
import { useFormats, Banner, Button, Card, EmptyState, Icon, Mono, PageFrame } from '#renderer/ui/index.ts';
import type { AttemptView, TrainingHome } from '#shared/app-api/index.ts';
import { faultWords, missionWords } from '#shared/training/index.ts';
import { durationText, incompleteWords } from '../debriefing/verdict-words.ts';
import { MasterySign } from '../results/mastery.tsx';
import styles from './training-home.module.css';

/** The kinds of fault that one name catches, every attempt, and the file that proves them. */
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
        <div className={styles.column}>
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
      <p className={styles.soft}>
        Reliable: the last three were caught, in missions with more good changes approved than stopped.
      </p>
      <div className={styles.tableFrame}>
        <table className={styles.table}>
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
                <td className={styles.soft}>{faultWords[fault.kind].hint}</td>
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
      aside={<span className={styles.soft}>{formats.counted(attempts.length, 'attempt')}</span>}
    >
      <div className={styles.tableFrame}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Mission</th>
              <th scope="col">Finished</th>
              <th scope="col" className={styles.number}>
                Points
              </th>
              <th scope="col" className={styles.number}>
                Caught
              </th>
              <th scope="col" className={styles.number}>
                False alarms
              </th>
              <th scope="col" className={styles.number}>
                Per decision
              </th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ id, mission, endedAtMs, score, faults, incomplete }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={homeHref({ page: 'attempt', id })}>{missionWords[mission].title}</a>
                  {incomplete !== undefined && (
                    <span className={styles.soft}> {incompleteWords[incomplete]}</span>
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
      <p className={styles.soft}>
        Key of this computer: <Mono>{keyFingerprint}</Mono>
      </p>
      {saved !== null && (
        <p role="status" className={styles.saved}>
          <Icon name="check-circle" size={14} tone="good" /> Saved as {saved}
        </p>
      )}
      {refusal?.of === 'save' && (
        <Banner tone="danger" title={refusal.failure.message}>
          {refusal.failure.next}
        </Banner>
      )}
    </Card>
  );
}
