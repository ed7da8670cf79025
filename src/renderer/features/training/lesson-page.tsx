import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  answerQuestion,
  beginLesson,
  canContinue,
  figureStore,
  type LessonFlow,
  lessonLength,
  questionAt,
  stepLesson,
} from './stores/lesson-flow.ts';
import { homeHref } from './stores/home-route.ts';
import { trainingStore } from './stores/training-store.ts';
import {
  Button,
  FactList,
  ForeignText,
  Icon,
  PageFrame,
  Quotation,
  RiskFigures,
  Skeleton,
  ToolContent,
  WarningList,
  WhatChanges,
  buttonClass,
  common,
  cx,
  pages,
} from '#renderer/ui/index.ts';
import type { ProposalView, TrainingHome } from '#shared/app-api/index.ts';
import { type LessonId, lessonIds } from '#shared/training/index.ts';
import {
  type Lesson,
  type LessonFigure,
  lessons,
  type LessonQuestion,
  type LessonStep,
} from '#shared/training/lessons/index.ts';
import { spendsNothing } from '#shared/wording/index.ts';
import styles from './training.module.css';

export function LessonsPage({ home }: { home: TrainingHome }): ReactElement {
  const done = home.lessons.filter(({ doneAtMs }) => doneAtMs !== null).length;
  return (
    <PageFrame title="Lessons" count={`${done} of ${home.lessons.length} done · two minutes each`}>
      <ol className={cx(common.stack, styles.lessons)}>
        {home.lessons.map(({ id, doneAtMs }) => {
          const lesson = lessons[id];
          return (
            <li key={id}>
              <a className={cx(pages.row4, styles.entry)} href={homeHref({ page: 'lesson', lesson: id })}>
                <span className={cx(common.growNarrow, common.stack)}>
                  <span className={common.strong}>{lesson.title}</span>
                  <span className={common.soft}>{lesson.summary}</span>
                </span>
                {doneAtMs === null ? (
                  <span className={common.soft}>Not done</span>
                ) : (
                  <span className={styles.sign}>
                    <Icon name="check-circle" size={14} tone="good" />
                    Done
                  </span>
                )}
                <Icon name="chevron-right" />
              </a>
            </li>
          );
        })}
      </ol>
    </PageFrame>
  );
}

/** Each new heading takes the focus, so that keyboard users continue there. */
export function LessonPage({ id }: { id: LessonId }): ReactElement {
  const lesson = lessons[id];
  const [flow, setFlow] = useState(() => beginLesson(lesson));
  const heading = useRef<HTMLHeadingElement>(null);
  const length = lessonLength(lesson);
  const isOver = flow.at === length;
  useEffect(() => {
    heading.current?.focus();
    heading.current?.closest('[data-lesson]')?.scrollTo(0, 0);
  }, [flow.at]);
  useEffect(() => {
    if (isOver) void trainingStore.getState().lessonDone(id);
  }, [id, isOver]);

  const index = questionAt(lesson, flow);
  const question = index === null ? undefined : lesson.questions[index];
  const step = lesson.steps[flow.at];
  return (
    <PageFrame title={lesson.title} count={isOver ? 'Done' : `${flow.at + 1} of ${length}`}>
      <progress
        className={styles.lessonProgress}
        value={flow.at}
        max={length}
        aria-label="Progress of the lesson"
      />
      <div className={cx(pages.scroll, styles.lesson)} data-lesson>
        <div className={cx(common.stack4, pages.selectable, styles.lessonBody)}>
          {step && <Step step={step} heading={heading} />}
          {question && index !== null && (
            <Question
              question={question}
              chosen={flow.answers[index] ?? null}
              heading={heading}
              onChoose={(answer) => setFlow(answerQuestion(lesson, flow, answer))}
            />
          )}
          {isOver && (
            <End id={id} lesson={lesson} heading={heading} onAgain={() => setFlow(beginLesson(lesson))} />
          )}
        </div>
      </div>
      {!isOver && <Steering lesson={lesson} flow={flow} onFlow={setFlow} />}
    </PageFrame>
  );
}

interface QuestionProps {
  question: LessonQuestion;
  chosen: number | null;
  heading: Heading;
  onChoose: (answer: number) => void;
}

function Question({ question, chosen, heading, onChoose }: QuestionProps): ReactElement {
  const answer = chosen === null ? undefined : question.answers[chosen];
  return (
    <>
      <p className={cx(common.soft, common.medium)}>Question</p>
      <h2 className={cx(pages.title, styles.title)} ref={heading} tabIndex={-1}>
        {question.question}
      </h2>
      <ul className={common.stack2}>
        {question.answers.map(({ text, isRight }, index) => (
          <li key={text}>
            <button
              type="button"
              className={cx(
                common.row3,
                styles.answer,
                index === chosen && (isRight ? styles.right : styles.wrong),
              )}
              aria-pressed={index === chosen}
              onClick={() => onChoose(index)}
            >
              {index === chosen ? (
                <Icon name={isRight ? 'check-circle' : 'alert-circle'} tone={isRight ? 'good' : 'bad'} />
              ) : (
                <span className={styles.ring} aria-hidden />
              )}
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.feedback} role="status">
        {answer && (
          <>
            <strong>{answer.isRight ? 'Right.' : 'Not quite.'}</strong> <span>{answer.feedback}</span>
          </>
        )}
      </p>
    </>
  );
}

interface EndProps {
  id: LessonId;
  lesson: Lesson;
  heading: Heading;
  onAgain: () => void;
}

function End({ id, lesson, heading, onAgain }: EndProps): ReactElement {
  const next = lessonIds[lessonIds.indexOf(id) + 1];
  const failed = useStore(trainingStore, ({ refusal }) => refusal?.of === 'lesson');
  return (
    <>
      <h2 className={cx(pages.title, styles.title)} ref={heading} tabIndex={-1}>
        {failed ? 'Read to the end' : 'Lesson done'}
      </h2>
      <p className={cx(pages.lead, styles.paragraph)}>{lesson.summary}</p>
      <p className={cx(common.row2, pages.wrap)}>
        {next !== undefined && (
          <a className={buttonClass('primary')} href={homeHref({ page: 'lesson', lesson: next })}>
            Next: {lessons[next].title}
          </a>
        )}
        <a
          className={buttonClass(next === undefined ? 'primary' : 'secondary')}
          href={homeHref({ page: 'missions' })}
        >
          Choose a mission
        </a>
        <a className={buttonClass('secondary')} href={homeHref({ page: 'lessons' })}>
          All lessons
        </a>
        <Button kind="quiet" icon="undo" onClick={onAgain}>
          Read it again
        </Button>
      </p>
    </>
  );
}

interface SteeringProps {
  lesson: Lesson;
  flow: LessonFlow;
  onFlow: (flow: LessonFlow) => void;
}

function Steering({ lesson, flow, onFlow }: SteeringProps): ReactElement {
  const isLast = flow.at === lessonLength(lesson) - 1;
  return (
    <footer className={cx(common.spread, styles.steering)}>
      <Button
        icon="chevron-left"
        disabled={flow.at === 0}
        onClick={() => onFlow(stepLesson(lesson, flow, 'back'))}
      >
        Back
      </Button>
      <Button
        kind="primary"
        trailing={isLast ? 'check' : 'chevron-right'}
        disabled={!canContinue(lesson, flow)}
        onClick={() => onFlow(stepLesson(lesson, flow, 'next'))}
      >
        {isLast ? 'Finish' : 'Next'}
      </Button>
    </footer>
  );
}

type Heading = RefObject<HTMLHeadingElement | null>;

function Step({ step, heading }: { step: LessonStep; heading: Heading }): ReactElement {
  return (
    <>
      <h2 className={cx(pages.title, styles.title)} ref={heading} tabIndex={-1}>
        {step.title}
      </h2>
      {step.paragraphs.map((paragraph) => (
        <p key={paragraph} className={cx(pages.lead, styles.paragraph)}>
          {paragraph}
        </p>
      ))}
      {step.figure && <Figure {...step.figure} />}
    </>
  );
}

function Figure({ caseName, caption }: LessonFigure): ReactElement | null {
  const { figures, failed, want } = useStore(figureStore);
  useEffect(() => void want(caseName), [caseName, want]);
  const proposal = figures.get(caseName);
  if (failed.has(caseName)) return null;
  return (
    <figure className={cx(common.stack2, styles.figure)} aria-busy={proposal === undefined}>
      <div className={cx(common.stack4, styles.confirmation)}>
        {proposal === undefined ? <Skeleton width="60%" /> : <Confirmation proposal={proposal} />}
      </div>
      <figcaption className={common.soft}>{caption}</figcaption>
    </figure>
  );
}

function Confirmation({ proposal }: { proposal: ProposalView }): ReactElement {
  const { title, risk, warnings, facts, detail, changes, unchanged, targets, quotation, proposedBy } =
    proposal;
  const change = { changes, unchangedCount: unchanged.length, targets };
  return (
    <>
      <p className={cx(common.heading, common.breaks)}>
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
