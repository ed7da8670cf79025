import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { figureStore } from '#renderer/stores/training/index.ts';
import {
  FactList,
  ForeignText,
  Quotation,
  RiskFigures,
  Skeleton,
  spendsNothing,
  ToolContent,
  WarningList,
  WhatChanges,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { LessonFigure } from '#shared/training/lessons/index.ts';
import styles from './training-lessons.module.css';

/** A case of the corpus as the confirmation shows it, with nothing to press. */
export function Figure({ caseName, caption }: LessonFigure): ReactElement | null {
  const { figures, failed, want } = useStore(figureStore);
  useEffect(() => void want(caseName), [caseName, want]);
  const proposal = figures.get(caseName);
  if (failed.has(caseName)) return null;
  return (
    <figure className={styles.figure} aria-busy={proposal === undefined}>
      <div className={styles.confirmation}>
        {proposal === undefined ? <Skeleton width="60%" /> : <Confirmation proposal={proposal} />}
      </div>
      <figcaption className={styles.caption}>{caption}</figcaption>
    </figure>
  );
}

/** The parts of the real confirmation, in its order. */
function Confirmation({ proposal }: { proposal: ProposalView }): ReactElement {
  const { title, risk, warnings, facts, detail, changes, unchanged, targets, quotation, proposedBy } =
    proposal;
  const change = { changes, unchangedCount: unchanged.length, targets };
  return (
    <>
      <p className={styles.question}>
        <ForeignText text={title} />
      </p>
      {!spendsNothing(proposal) && <RiskFigures risk={risk} />}
      <WarningList warnings={warnings} />
      <FactList facts={facts} areNow={false} />
      {detail.kind === 'tool' ? (
        <ToolContent tool={detail} {...change}>
          {null}
        </ToolContent>
      ) : (
        <WhatChanges {...change} />
      )}
      {quotation !== null && <Quotation who={proposedBy.name} words={quotation} />}
    </>
  );
}
