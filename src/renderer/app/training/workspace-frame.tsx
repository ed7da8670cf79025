import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  Briefing,
  DebriefingPage,
  MissionBar,
  type MissionView,
  PracticeBar,
  PracticePanel,
  RefusalToast,
} from '#renderer/features/training/index.ts';
import { trainingStore } from '#renderer/stores/training/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Button, SplitPane } from '#renderer/ui/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { missionWords } from '#shared/training/index.ts';
import { Page } from '../page.tsx';
import { Shell } from '../shell.tsx';
import { TrainingTitleBar } from './training-title-bar.tsx';

/** The ordinary app on the workspace that is open, in the frame of training. */
export function WorkspaceFrame({ workspace }: { workspace: WorkspaceView }): ReactElement {
  return workspace.kind === 'mission' ? <Mission mission={workspace} /> : <Practice />;
}

function Mission({ mission }: { mission: MissionView }): ReactElement {
  const { doing, another } = useStore(trainingStore);
  const [debriefs, setDebriefs] = useState(true);
  // Whoever goes to another page wants to see that page.
  useEffect(() => uiStore.subscribe((now, before) => {
    if (now.route !== before.route) setDebriefs(false);
  }), []);
  useEffect(() => setDebriefs(true), [mission.phase]);
  const { phase, attempt } = mission;
  const title = missionWords[mission.mission].title;
  const debriefing = phase === 'over' && attempt !== null && debriefs && (
    <DebriefingPage
      id={attempt}
      actions={
        <Button
          kind="primary"
          icon="refresh"
          disabled={doing !== null}
          onClick={() => void another(mission.mission)}
        >
          Try another variant
        </Button>
      }
    />
  );
  return (
    <Shell
      titleBar={<TrainingTitleBar detail={title} hasSearch />}
      notice={
        <>
          <MissionBar mission={mission} debriefs={debriefs} onDebrief={setDebriefs} />
          <RefusalToast />
        </>
      }
      page={phase === 'briefing' ? <Briefing mission={mission} /> : debriefing || <Page />}
    />
  );
}

/** Widths of the control panel, in pixels. */
const panel = { first: 336, min: 288, max: 480 };

function Practice(): ReactElement {
  const [isOpen, setIsOpen] = useState(true);
  const [width, setWidth] = useState(panel.first);
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
          main={<Page />}
          side={isOpen ? <PracticePanel /> : null}
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
