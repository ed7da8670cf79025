import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import {
  DebriefingPage,
  HomeFailure,
  homeHref,
  HomePage,
  type HomeRoute,
  type MissionView,
  NameDialog,
  RefusalToast,
  trainingStore,
  useHomeRoute,
} from '#renderer/features/training/index.ts';
import { Banner, Button, cx, ForeignText, Icon, type IconName, Region } from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { missionWords } from '#shared/training/index.ts';
import { pageFault, titleBarFault } from '../frame/faults.tsx';
import shell from '../frame/shell.module.css';
import { TrainingTitleBar } from './training-title-bar.tsx';

interface Section {
  route: HomeRoute;
  label: string;
  icon: IconName;
  pages: readonly HomeRoute['page'][];
}

const sections: readonly Section[] = [
  { route: { page: 'missions' }, label: 'Missions', icon: 'training', pages: ['missions'] },
  { route: { page: 'lessons' }, label: 'Lessons', icon: 'note', pages: ['lessons', 'lesson'] },
  { route: { page: 'progress' }, label: 'Progress', icon: 'reports', pages: ['progress', 'attempt'] },
  { route: { page: 'results' }, label: 'Check results', icon: 'shield-check', pages: ['results'] },
];

export function OverFrame({ mission }: { mission: MissionView }): ReactElement {
  const { doing, startMission, leave } = useStore(trainingStore);
  const { attempt, mission: id } = mission;
  return (
    <div className={cx(shell.shell, shell.railless)}>
      <Region fallback={titleBarFault}>
        <TrainingTitleBar detail={missionWords[id].title} hasSearch={false} />
      </Region>
      <main className={shell.page}>
        <Region fallback={pageFault}>
          {attempt !== null && (
            <DebriefingPage
              id={attempt}
              actions={
                <>
                  <Button disabled={doing !== null} onClick={() => void leave()}>
                    Back to training
                  </Button>
                  <Button
                    kind="primary"
                    icon="refresh"
                    disabled={doing !== null}
                    onClick={() => void startMission(id)}
                  >
                    Try another variant
                  </Button>
                </>
              }
            />
          )}
        </Region>
      </main>
      <RefusalToast />
      <HomeStatus />
    </div>
  );
}

export function HomeFrame({ home, isLost }: { home: TrainingHome | null; isLost: boolean }): ReactElement {
  const route = useHomeRoute();
  const [isNaming, setIsNaming] = useState(false);
  return (
    <div className={shell.shell}>
      <Region fallback={titleBarFault}>
        <TrainingTitleBar hasSearch={false} />
      </Region>
      <nav className={shell.rail} aria-label="Sections of training">
        {sections.map(({ route: to, label, icon, pages }) => (
          <a
            key={label}
            href={homeHref(to)}
            className={shell.entry}
            title={label}
            aria-current={pages.includes(route.page) ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span className={shell.word}>{label}</span>
          </a>
        ))}
        <span className={shell.spacer} />
        {home !== null && home.name !== null && (
          <button
            type="button"
            className={shell.entry}
            title="Change who trains"
            aria-haspopup="dialog"
            onClick={() => setIsNaming(true)}
          >
            <Icon name="profiles" />
            <span className={shell.word}>
              <ForeignText text={home.name} />
            </span>
          </button>
        )}
      </nav>
      <div className={shell.notice}>
        {isLost && (
          <Banner flush tone="warning" icon="offline" title="Training cannot be reached.">
            It is started again, and your attempts are kept. Real work is not affected.
          </Banner>
        )}
        <HomeFailure />
      </div>
      <main className={shell.page} aria-busy={home === null}>
        <Region fallback={pageFault} place={homeHref(route)}>
          {home !== null && <HomePage home={home} />}
        </Region>
      </main>
      <HomeStatus />
      {isNaming && home !== null && <NameDialog home={home} onClose={() => setIsNaming(false)} />}
    </div>
  );
}

function HomeStatus(): ReactElement {
  return (
    <footer className={shell.status} aria-label="Status">
      <span className={shell.item}>training · nothing here is real, and nothing leaves this computer</span>
    </footer>
  );
}
