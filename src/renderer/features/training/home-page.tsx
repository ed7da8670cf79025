import { type FormEvent, type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { type HomeRoute, parseHomeRoute } from './stores/home-route.ts';
import { trainingStore } from './stores/training-store.ts';
import {
  cx,
  common,
  Button,
  Buttons,
  Dialog,
  ForeignText,
  TextField,
  FailureBanner,
  FailureToast,
  pages,
} from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import { AttemptPage } from './debriefing.tsx';
import { LessonPage, LessonsPage } from './lesson-page.tsx';
import { ResultsPage } from './results-page.tsx';
import { MissionsPage } from './missions-page.tsx';
import { ProgressPage } from './progress-page.tsx';
import styles from './training.module.css';

function follow(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

export function useHomeRoute(): HomeRoute {
  return parseHomeRoute(useSyncExternalStore(follow, () => location.hash));
}

/** The page for checking results does not ask for a name. */
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

export function RefusalToast(): ReactElement | null {
  const { refusal, dismiss } = useStore(trainingStore);
  if (refusal === null) return null;
  return <FailureToast failure={refusal.failure} onDismiss={dismiss} />;
}

export function HomeFailure(): ReactElement | null {
  const { failure, retry } = useStore(trainingStore);
  if (failure === null) return null;
  return (
    <div className={common.inset}>
      <FailureBanner failure={failure} onRetry={retry}>
        Real work is not affected.
      </FailureBanner>
    </div>
  );
}

function TraineeName({ home }: { home: TrainingHome }): ReactElement {
  return (
    <section className={cx(common.stack4, styles.welcome)} aria-label="Welcome">
      <h1 className={pages.bigTitle}>Who is training?</h1>
      <p className={pages.lead}>
        You decide on the changes of agents, good and bad, then see what you caught.
      </p>
      <NameForm home={home} button="Start training" />
    </section>
  );
}

export function NameDialog({ home, onClose }: { home: TrainingHome; onClose: () => void }): ReactElement {
  return (
    <Dialog title="Who is training?" onClose={onClose}>
      <NameForm home={home} button="Continue" onDone={onClose} />
    </Dialog>
  );
}

interface NameFormProps {
  home: TrainingHome;
  button: string;
  onDone?: () => void;
}

function NameForm({ home, button, onDone }: NameFormProps): ReactElement {
  const doing = useStore(trainingStore, (state) => state.doing);
  const [typed, setTyped] = useState('');
  const others = home.names.filter((name) => name !== home.name);

  async function choose(name: string): Promise<void> {
    if (await trainingStore.getState().setName(name)) onDone?.();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typed.trim() !== '') void choose(typed.trim());
  }
  return (
    <form className={common.stack4} onSubmit={submit}>
      <div className={styles.fieldLine}>
        <TextField
          label="Your name"
          value={typed}
          onChange={(text) => setTyped(firstCodePoints(text, 60))}
          autoFocus
        />
        <Button kind="primary" type="submit" disabled={doing === 'name' || typed.trim() === ''}>
          {button}
        </Button>
      </div>
      {others.length > 0 && (
        <div className={common.stack2} role="group" aria-label="Names that have trained here">
          <span className={common.soft}>Or continue as</span>
          <Buttons>
            {others.map((name) => (
              <Button key={name} size="small" disabled={doing === 'name'} onClick={() => void choose(name)}>
                <ForeignText text={name} />
              </Button>
            ))}
          </Buttons>
        </div>
      )}
      <p className={common.soft}>Your name stays on this computer.</p>
    </form>
  );
}
