import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  answerQuestion,
  beginLesson,
  canGoOn,
  type LessonFlow,
  lessonLength,
  questionAt,
  stepLesson,
} from '../stores/lesson-flow.ts';
import { homeHref } from '../stores/home-route.ts';
import { trainingStore } from '../stores/training-store.ts';
import { Button, buttonClass, cx, Icon, PageFrame } from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { type LessonId, lessonIds } from '#shared/training/index.ts';
import { type Lesson, lessons, type LessonQuestion } from '#shared/training/lessons/index.ts';
import { type Heading, Step } from './lesson-step.tsx';
import styles from './training-lessons.module.css';

/** The lessons, in the order in which they are offered. */
export function LessonsPage({ home }: { home: TrainingHome }): ReactElement {
  const done = home.lessons.filter(({ doneAtMs }) => doneAtMs !== null).length;
  return (
    <PageFrame title="Lessons" count={`${done} of ${home.lessons.length} done · two minutes each`}>
      <ol className={styles.list}>
        {home.lessons.map(({ id, doneAtMs }) => {
          const lesson = lessons[id];
          return (
            <li key={id}>
              <a className={styles.entry} href={homeHref({ page: 'lesson', lesson: id })}>
                <span className={styles.entryWords}>
                  <span className={styles.entryTitle}>{lesson.title}</span>
                  <span className={styles.soft}>{lesson.summary}</span>
                </span>
                {doneAtMs === null ? (
                  <span className={styles.soft}>Not done</span>
                ) : (
                  <span className={styles.done}>
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

/** One lesson: its steps, its two questions, and the end. The heading has the focus, so that the keyboard goes on from there. */
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
        className={styles.progress}
        value={flow.at}
        max={length}
        aria-label="Progress of the lesson"
      />
      <div className={styles.lesson} data-lesson>
        <div className={styles.body}>
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
      <p className={styles.kicker}>Question</p>
      <h2 className={styles.title} ref={heading} tabIndex={-1}>
        {question.question}
      </h2>
      <ul className={styles.answers}>
        {question.answers.map(({ text, isRight }, index) => (
          <li key={text}>
            <button
              type="button"
              className={cx(styles.answer, index === chosen && (isRight ? styles.right : styles.wrong))}
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
      <h2 className={styles.title} ref={heading} tabIndex={-1}>
        {failed ? 'Read to the end' : 'Lesson done'}
      </h2>
      <p className={styles.paragraph}>{lesson.summary}</p>
      <p className={styles.ways}>
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
    <footer className={styles.steering}>
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
        disabled={!canGoOn(lesson, flow)}
        onClick={() => onFlow(stepLesson(lesson, flow, 'next'))}
      >
        {isLast ? 'Finish' : 'Next'}
      </Button>
    </footer>
  );
}
