import { type ReactElement, useEffect, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { type HomeRoute, parseHomeRoute } from '../stores/home-route.ts';
import { trainingStore } from '../stores/training-store.ts';
import { Banner, Button, Toast } from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { AttemptPage } from '../debriefing/debriefing.tsx';
import { LessonPage, LessonsPage } from '../lessons/lesson-page.tsx';
import { ResultsPage } from '../results/results-page.tsx';
import { MissionsPage } from './missions-page.tsx';
import { ProgressPage } from './progress-page.tsx';
import { TraineeName } from './trainee-name.tsx';
import styles from './training-home.module.css';

function follow(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The route of the address bar. */
export function useHomeRoute(): HomeRoute {
  return parseHomeRoute(useSyncExternalStore(follow, () => location.hash));
}

/** The page of the address, while no workspace is open. Checking results of others needs no name. */
export function HomePage({ home }: { home: TrainingHome }): ReactElement {
  const route = useHomeRoute();
  const scroller = useRef<HTMLDivElement>(null);
  const place = 'lesson' in route ? route.lesson : 'id' in route ? route.id : route.page;
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [place]);
  return (
    <>
      <div className={styles.scroller} ref={scroller}>
        {home.name === null && route.page !== 'results' ? (
          <TraineeName home={home} />
        ) : (
          <Routed home={home} />
        )}
      </div>
      <RefusalToast />
    </>
  );
}

function Routed({ home }: { home: TrainingHome }): ReactElement {
  const route = useHomeRoute();
  switch (route.page) {
    case 'missions':
      return <MissionsPage home={home} />;
    case 'lessons':
      return <LessonsPage home={home} />;
    case 'lesson':
      return <LessonPage key={route.lesson} id={route.lesson} />;
    case 'progress':
      return <ProgressPage home={home} />;
    case 'attempt':
      return <AttemptPage id={route.id} />;
    case 'results':
      return <ResultsPage />;
  }
}

/** Says over every page of training what was refused. */
export function RefusalToast(): ReactElement | null {
  const { refusal, dismiss } = useStore(trainingStore);
  if (refusal === null) return null;
  return (
    <Toast tone="danger" title={refusal.failure.message} onDismiss={dismiss}>
      {refusal.failure.next}
    </Toast>
  );
}

/** The whole page where the state of training could not be read. */
export function HomeFailure(): ReactElement | null {
  const { failure, retry } = useStore(trainingStore);
  if (failure === null) return null;
  return (
    <div className={styles.failure}>
      <Banner tone="danger" title={failure.message} actions={<Button onClick={retry}>Try again</Button>}>
        {failure.next} Real work is not affected.
      </Banner>
    </div>
  );
}
