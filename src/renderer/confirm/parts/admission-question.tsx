import type { ProposalView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { AdmissionContent, FinePrint, ForeignText, WarningList } from '#renderer/ui/index.ts';
import styles from '../page.module.css';

export interface AdmissionQuestionProps {
  proposal: ProposalView;
  detail: Extract<ProposalView['detail'], { kind: 'admission' }>;
}

/** Asks whether an agent may come in: who it says it is, the two words, what it may do. No money, nothing that changes. */
export function AdmissionQuestion({ proposal, detail }: AdmissionQuestionProps): ReactElement {
  const { title, warnings, proposedBy, profile, payload, fingerprint } = proposal;
  const { redirectHost, words, scopes, until } = detail;
  return (
    <article className={styles.question}>
      <h1 className={styles.questionTitle}>
        <ForeignText text={title} />
      </h1>
      <WarningList warnings={warnings} />
      <AdmissionContent
        name={proposedBy.name}
        profile={profile}
        redirectHost={redirectHost}
        words={words}
        scopes={scopes}
        until={until}
      />
      <FinePrint unchanged={[]} unchangedAre="fields" payload={payload} fingerprint={fingerprint} />
    </article>
  );
}
