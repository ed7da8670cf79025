import type { ReactElement, ReactNode } from 'react';
import {
  BatchContent,
  ConflictTable,
  Fingerprint,
  ForeignText,
  Icon,
  type IconName,
  type PillTone,
  QuotedText,
  Rule,
  StatePill,
  VerdictList,
  common,
  cx,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { Flow } from './state/flow.ts';
import { admissionEnding, proposalTone, stateWords } from '#shared/wording/index.ts';
import styles from './page.module.css';

const icons: Record<PillTone, IconName> = {
  good: 'check-circle',
  bad: 'alert-circle',
  waiting: 'help',
  busy: 'clock',
  neutral: 'close',
};

function endingOf({ state, outcome, detail }: ProposalView): { sentence: string; next: string | null } {
  const ofAdmission = detail.kind === 'admission' ? admissionEnding(state) : null;
  if (ofAdmission !== null) return ofAdmission;
  const isListed = outcome?.code === 'batch_done';
  return {
    sentence: outcome?.message ?? stateWords[state].sentence,
    next: isListed ? null : (outcome?.next ?? null),
  };
}

export function Outcome({ proposal }: { proposal: ProposalView }): ReactElement {
  const { state, conflict, verdicts, reason, changes, detail } = proposal;
  const { sentence, next } = endingOf(proposal);
  const tone = proposalTone(proposal);
  return (
    <article className={styles.outcome}>
      <OutcomeHead icon={icons[tone]} tone={tone} sentence={sentence}>
        {next !== null && <p>{next}</p>}
        {state === 'unknown' && <p>Proposals shows the result. Nothing is sent twice.</p>}
        <p className={styles.outcomeTitle}>
          <StatePill state={state} operation={proposal.operation} /> <ForeignText text={proposal.title} />
        </p>
      </OutcomeHead>
      {conflict.length > 0 && (
        <section aria-label={detail.kind === 'tool' ? 'What changed meanwhile' : 'Changed on both sides'}>
          <ConflictTable conflicts={conflict} />
        </section>
      )}
      {detail.kind === 'batch' && <BatchContent batch={detail} targets={proposal.targets} />}
      {verdicts.length > 0 && (
        <section aria-label="Read back">
          <Rule title="Stored by the service now" />
          <VerdictList verdicts={verdicts} changed={changes.map((change) => change.field)} />
        </section>
      )}
      {reason !== null && (
        <p>
          Your reason: <QuotedText text={reason} />
        </p>
      )}
      <p className={styles.small}>
        Fingerprint <Fingerprint hex={proposal.fingerprint} />
      </p>
    </article>
  );
}

export interface OutcomeHeadProps {
  icon: IconName;
  tone: PillTone;
  /** May contain a message of the service. */
  sentence: string;
  children: ReactNode;
}

function OutcomeHead({ icon, tone, sentence, children }: OutcomeHeadProps): ReactElement {
  return (
    <header className={styles.head}>
      <Icon name={icon} size={28} tone={tone} />
      <div className={cx(common.stack1, styles.words)}>
        <h1 className={styles.sentence}>
          <ForeignText text={sentence} />
        </h1>
        {children}
      </div>
    </header>
  );
}

export function Over({ flow }: { flow: Extract<Flow, { kind: 'over' }> }): ReactElement {
  return (
    <OutcomeHead icon="clock" tone="neutral" sentence={flow.message}>
      <p>{flow.next}</p>
      {flow.proposal && (
        <p>
          Proposal: <ForeignText text={flow.proposal.title} />
        </p>
      )}
    </OutcomeHead>
  );
}
