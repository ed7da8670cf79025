import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { realWorkStore } from '#renderer/stores/real-work/index.ts';
import { trainingStore } from '#renderer/stores/training/index.ts';
import { ToastCorner } from '#renderer/ui/index.ts';
import { gateOf } from '../gate.tsx';
import { startStores } from '../start-stores.ts';
import { HomeFrame } from './home-frame.tsx';

/** The stores of the app follow a core, which training has only while a workspace is open. */
const WorkspaceFrame = lazy(async () => {
  const { WorkspaceFrame: Frame } = await import('./workspace-frame.tsx');
  startStores();
  return { default: Frame };
});

/** The window of training: its home, or the workspace that is open. The page is loaded anew between the two. */
export function TrainingWindow(): ReactElement {
  const place = useStore(trainingStore, (state) => state.place);
  const connection = useStore(trainingStore, (state) => state.connection);
  useEffect(() => {
    const stops = [trainingStore.getState().start(), realWorkStore.getState().start()];
    return () => stops.forEach((stop) => stop());
  }, []);
  const gate = gateOf(connection);
  if (gate !== null) return gate;
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
