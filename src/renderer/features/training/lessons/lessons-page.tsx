import type { ReactElement } from 'react';
import { homeHref } from '#renderer/stores/training/index.ts';
import { Icon, PageFrame } from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { lessons } from '#shared/training/lessons/index.ts';
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
