import { type ReactElement, type ReactNode, useMemo } from 'react';
import {
  AdmissionContent,
  BatchContent,
  FactList,
  FinePrint,
  ForeignText,
  Outdated,
  Quotation,
  riskiest,
  RiskFigures,
  ToolContent,
  WarningList,
  WhatChanges,
  cx,
  common,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { ChangedPictures, UnchangedPictures } from './creative-pictures.tsx';
import { spendsNothing, unchangedAre } from '#shared/wording/index.ts';
import styles from './page.module.css';

export interface QuestionProps {
  proposal: ProposalView;
  notice: ReactNode;
  typeToConfirm: ReactNode;
}

/** Draws the riskiest part first. All content is text, never markup. */
export function Question({ proposal, notice, typeToConfirm }: QuestionProps): ReactElement {
  const { risk, rebase, warnings, quotation, proposedBy, changes, unchanged, detail } = proposal;
  const { targets, listed } = proposal;
  const quote = quotation !== null && <Quotation who={proposedBy.name} words={quotation} />;
  const pictures = <ChangedPictures proposal={proposal} />;
  // A change that is more dangerous than the picture comes before it.
  const isPictureFirst = risk.headline === undefined && riskiest(risk) === null;
  const unchangedPictures = useMemo(() => <UnchangedPictures proposal={proposal} />, [proposal]);
  const change = { changes, unchangedCount: unchanged.length, targets, listed };
  return (
    <article className={cx(common.stack4, styles.question)}>
      <h1 className={styles.questionTitle}>
        <ForeignText text={proposal.title} />
      </h1>
      {notice}
      {rebase && <Outdated {...rebase} />}
      {isPictureFirst && pictures}
      {!spendsNothing(proposal) && <RiskFigures risk={risk} />}
      {risk.notes.length > 0 && <p className={cx(common.quiet, styles.notes)}>{risk.notes.join(' ')}</p>}
      <WarningList warnings={warnings}>{typeToConfirm}</WarningList>
      {!isPictureFirst && pictures}
      <FactList facts={proposal.facts} areNow={detail.kind === 'tool' && detail.known === 'campaign'} />
      {detail.kind === 'batch' ? (
        <BatchContent batch={detail} targets={targets} listed={listed} />
      ) : detail.kind === 'tool' ? (
        <ToolContent tool={detail} {...change}>
          {quote}
        </ToolContent>
      ) : (
        <WhatChanges {...change} />
      )}
      {detail.kind !== 'tool' && quote}
      <FinePrint
        unchanged={unchanged}
        unchangedAre={unchangedAre(proposal)}
        payload={proposal.payload}
        fingerprint={proposal.fingerprint}
        pictures={unchangedPictures}
        call={detail.kind === 'tool' && detail.effect === 'stated' ? detail : null}
      />
    </article>
  );
}

export interface AdmissionQuestionProps {
  proposal: ProposalView;
  detail: Extract<ProposalView['detail'], { kind: 'admission' }>;
}

export function AdmissionQuestion({ proposal, detail }: AdmissionQuestionProps): ReactElement {
  const { title, warnings, proposedBy, profile, payload, fingerprint } = proposal;
  const { redirectHost, words, scopes, until } = detail;
  return (
    <article className={cx(common.stack4, styles.question)}>
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
