import { type ReactElement, type RefObject, useEffect } from 'react';
import { useStore } from 'zustand';
import { figureStore } from '#renderer/stores/training/index.ts';
import {
  FactList,
  ForeignText,
  Quotation,
  RiskFigures,
  Skeleton,
  ToolContent,
  WarningList,
  WhatChanges,
} from '#renderer/ui/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { LessonFigure, LessonStep } from '#shared/training/lessons/index.ts';
import { spendsNothing } from '#shared/wording/index.ts';
import styles from './training-lessons.module.css';

/** The heading of what is on screen, which has the focus. */
export type Heading = RefObject<HTMLHeadingElement | null>;

/** One screen of a lesson: what there is to know, and a picture of it. */
export function Step({ step, heading }: { step: LessonStep; heading: Heading }): ReactElement {
  return (
    <>
      <h2 className={styles.title} ref={heading} tabIndex={-1}>
        {step.title}
      </h2>
      {step.paragraphs.map((paragraph) => (
        <p key={paragraph} className={styles.paragraph}>
          {paragraph}
        </p>
      ))}
      {step.figure && <Figure {...step.figure} />}
    </>
  );
}

/** A case of the corpus as the confirmation shows it, with nothing to press. */
function Figure({ caseName, caption }: LessonFigure): ReactElement | null {
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
