import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import {
  Briefing,
  MissionBar,
  type MissionView,
  PracticeBar,
  PracticePanel,
  RefusalToast,
} from '#renderer/features/training/index.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Region, SplitPane } from '#renderer/ui/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { missionWords } from '#shared/training/index.ts';
import { pageFault } from '../frame/faults.tsx';
import { Page } from '../frame/page.tsx';
import { Shell } from '../frame/shell.tsx';
import { TrainingTitleBar } from './training-title-bar.tsx';

export function WorkspaceFrame({ workspace }: { workspace: WorkspaceView }): ReactElement {
  return workspace.kind === 'mission' ? <Mission mission={workspace} /> : <Practice />;
}

function Mission({ mission }: { mission: MissionView }): ReactElement {
  return (
    <Shell
      titleBar={<TrainingTitleBar detail={missionWords[mission.mission].title} hasSearch />}
      notice={
        <>
          <MissionBar mission={mission} />
          <RefusalToast />
        </>
      }
      hasRail={mission.phase !== 'briefing'}
      page={mission.phase === 'briefing' ? <Briefing mission={mission} /> : <Page />}
    />
  );
}

const panel = { first: 336, min: 288, max: 480 };

function Practice(): ReactElement {
  const [isOpen, setIsOpen] = useState(true);
  const [width, setWidth] = useState(panel.first);
  const href = useStore(uiStore, (state) => routeHref(state.route));
  return (
    <Shell
      titleBar={<TrainingTitleBar detail="Free practice" hasSearch />}
      notice={
        <>
          <PracticeBar isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
          <RefusalToast />
        </>
      }
      page={
        <SplitPane
          main={
            <Region fallback={pageFault} place={href}>
              <Page />
            </Region>
          }
          side={
            isOpen ? (
              <Region fallback={pageFault}>
                <PracticePanel />
              </Region>
            ) : null
          }
          sideLabel="the control panel"
          width={width}
          min={panel.min}
          max={panel.max}
          onResize={(wanted) => setWidth(Math.min(panel.max, Math.max(panel.min, wanted)))}
        />
      }
    />
  );
}
