import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useFormats } from '#renderer/ui/index.ts';
import { alertHistoryStore } from '../stores/stores.ts';
import styles from '../panels.module.css';
import { trialText, usualText } from './trial-text.ts';
import type { AlertTrialInput } from '../stores/alert-history-store.ts';

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
        <p className={styles.quiet}>{usualText(source.kind, metric, answer.history, formats)}</p>
      )}
    </div>
  );
}
