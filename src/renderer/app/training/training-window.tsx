import { type ReactElement, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { type MissionView, trainingStore } from '#renderer/features/training/index.ts';
import { realWorkStore } from '#renderer/stores/training-stores.ts';
import { FormatsProvider, ToastCorner } from '#renderer/ui/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { gateOf } from '../frame/faults.tsx';
import { lazily } from '../lazily.ts';
import { startStores } from '../start-stores.ts';
import { HomeFrame, OverFrame } from './home-frame.tsx';

/** Loaded lazily: the stores need a core, which training has only while a workspace is open. */
const WorkspaceFrame = lazily(async () => {
  const { WorkspaceFrame: Frame } = await import('./workspace-frame.tsx');
  startStores();
  return Frame;
});

export function TrainingWindow(): ReactElement {
  const formats = useStore(trainingStore, (state) => state.formats);
  return (
    <FormatsProvider value={formats}>
      <TrainingContent />
    </FormatsProvider>
  );
}

function TrainingContent(): ReactElement {
  const place = useStore(trainingStore, (state) => state.place);
  const connection = useStore(trainingStore, (state) => state.connection);
  useEffect(() => {
    const stops = [trainingStore.getState().start(), realWorkStore.getState().start()];
    return () => stops.forEach((stop) => stop());
  }, []);
  const gate = gateOf(connection);
  if (gate !== null) return gate;
  if (place.kind === 'workspace' && isOver(place.workspace))
    return (
      <ToastCorner>
        <OverFrame mission={place.workspace} />
      </ToastCorner>
    );
  if (place.kind === 'workspace')
    return (
      <Suspense>
        <WorkspaceFrame workspace={place.workspace} />
      </Suspense>
    );
  return (
    <ToastCorner>
      <HomeFrame home={place.kind === 'home' ? place.home : null} isLost={connection.kind === 'lost'} />
    </ToastCorner>
  );
}

/** True for an ended mission, because it has a debriefing but no workspace. */
function isOver(workspace: WorkspaceView): workspace is MissionView {
  return workspace.kind === 'mission' && workspace.phase === 'over';
}
