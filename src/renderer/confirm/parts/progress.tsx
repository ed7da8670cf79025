import type { ReactElement } from 'react';
import type { ProposalView } from '#shared/app-api/index.ts';
import { batchProgress } from '#renderer/ui/index.ts';
import type { Choice } from '../gesture/gesture.ts';
import styles from '../foot.module.css';

function approvedWords(detail: ProposalView['detail']): string {
  if (detail.kind === 'admission') return 'Approved. Letting it in…';
  return detail.kind === 'batch'
    ? `Approved. One change after the other: ${batchProgress(detail.members)}…`
    : 'Approved. Reading once more, sending exactly what was shown, then reading it back…';
}

export interface ProgressProps {
  choice: Choice;
  proposal: ProposalView;
}

/** What the core does between the decision and the verdict, and how far it has come with a batch. */
export function Progress({ choice, proposal: { detail } }: ProgressProps): ReactElement {
  return (
    <footer className={styles.progressFoot} role="status">
      <span className={styles.line} aria-hidden />
      {choice === 'approve' ? approvedWords(detail) : 'Recording your decision…'}
    </footer>
  );
}
