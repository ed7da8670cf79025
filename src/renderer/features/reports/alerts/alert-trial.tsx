import { useEffect, useEffectEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { Button, FailureBanner, useFormats } from '#renderer/ui/index.ts';
import type { ReportSource, ReportValue } from '#shared/app-api/index.ts';
import { historyDays, type ThresholdProposal } from '#shared/reports/index.ts';
import { DaysProgress } from '../days-progress.tsx';
import styles from '../panels.module.css';
import type { AlertTrialInput } from '../stores/alert-history-store.ts';
import { firstQuery } from '../stores/report-query.ts';
import { alertDaysStore, alertHistoryStore } from '../stores/stores.ts';
import { trialText, usualRangeText } from './trial-text.ts';

export function AlertTrial({ trial }: { trial: AlertTrialInput }): ReactElement {
  const formats = useFormats();
  const answer = useStore(alertHistoryStore, (state) => state.answer);
  const isOld = answer !== null && JSON.stringify(answer.of) !== JSON.stringify(trial);
  const fired = answer === null ? null : trialText(answer.history, formats);
  const { source, metric } = answer?.of ?? trial;
  return (
    <div className={styles.trial} aria-busy={isOld}>
      <p role="status">{fired}</p>
      {answer !== null && (
        <p className={styles.quiet}>{usualRangeText(source.kind, metric, answer.history, formats)}</p>
      )}
      {answer !== null && !isOld && answer.of.source.kind === 'xml' && answer.of.only !== null && (
        <LoadDays
          key={JSON.stringify([answer.of.source, answer.of.only])}
          source={answer.of.source}
          only={answer.of.only}
          isNeeded={answer.history.knownDays < historyDays}
        />
      )}
    </div>
  );
}

interface LoadDaysProps {
  source: ReportSource;
  only: ReportValue;
  isNeeded: boolean;
}

/** The service lists XML traffic by country or sub-ID for one range at a time, so single days are read on request. */
function LoadDays({ source, only, isNeeded }: LoadDaysProps): ReactElement | null {
  const { drill, answer, failure } = useStore(alertDaysStore);
  const { open, close, start, refresh } = alertDaysStore.getState();
  useEffect(() => {
    const stop = start();
    return () => {
      stop();
      close();
    };
  }, [start, close]);
  if (failure !== null) return <FailureBanner tone="warning" failure={failure} onRetry={refresh} />;
  if (answer !== null) return <DaysProgress state={answer.state} store={alertDaysStore} />;
  if (!isNeeded) return null;
  return (
    <p className={styles.progress}>
      A request for each day
      <Button
        size="small"
        disabled={drill !== null}
        onClick={() =>
          open(
            {
              ...firstQuery(source),
              range: { preset: 'last90' },
              comparison: 'none',
              levels: [only.dimension],
            },
            { of: [only], by: 'date' },
          )
        }
      >
        Load {historyDays} days
      </Button>
    </p>
  );
}

export function useTrial(trial: AlertTrialInput): void {
  const key = JSON.stringify(trial);
  useEffect(() => alertHistoryStore.getState().start(), []);
  useEffect(() => alertHistoryStore.getState().show(JSON.parse(key) as AlertTrialInput), [key]);
}

type ProposedThreshold = Pick<ThresholdProposal & { kind: 'threshold' }, 'is' | 'threshold'>;

/** Calls `take` with each proposal for the metric and value of the trial. Its condition does not matter. */
export function useProposal(
  trial: AlertTrialInput | null,
  take: (proposal: ProposedThreshold) => void,
): void {
  const answer = useStore(alertHistoryStore, (state) => state.answer);
  const proposal =
    trial !== null && isOfSameFigures(answer?.of, trial) ? answer?.history.proposal : undefined;
  const { is = null, threshold = null } = proposal?.kind === 'threshold' ? proposal : {};
  const takeLatest = useEffectEvent(take);
  useEffect(() => {
    if (is !== null && threshold !== null) takeLatest({ is, threshold });
  }, [is, threshold]);
}

function isOfSameFigures(
  of: AlertTrialInput | undefined,
  { source, only, metric }: AlertTrialInput,
): boolean {
  return (
    of !== undefined &&
    JSON.stringify([of.source, of.only, of.metric]) === JSON.stringify([source, only, metric])
  );
}
