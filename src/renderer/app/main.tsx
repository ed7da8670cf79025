import '#renderer/ui/styles/base.css';
import { type ReactElement, Suspense, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/place.ts';
import { formatsIn, sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  keepFocus,
  Region,
  FormatsProvider,
  isTyping,
  Question,
  shortcutOf,
  useWindowKeys,
} from '#renderer/ui/index.ts';
import { followDesktop } from './desktop.tsx';
import { windowFault } from './frame/faults.tsx';
import { windowTitle } from './profile-words.ts';
import { Shell } from './frame/shell.tsx';
import { startStores } from './start-stores.ts';
import { emergencyStop, stopWords } from './freeze.tsx';
import { lazily } from './lazily.ts';

const TrainingWindow = lazily(async () => (await import('./training/training-window.tsx')).TrainingWindow);

/**
 * Keeps theme, density and the profile's colour on the root element, where the tokens look for them, and the profile's name in the title.
 * Writes what differs only: charts are drawn anew whenever one of them is written, and the stores report every read of the status.
 */
function followTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const put = (name: string, value: string): void => {
    if (dataset[name] !== value) dataset[name] = value;
  };
  const apply = (): void => {
    const { theme, density } = uiStore.getState();
    put('theme', theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme);
    put('density', density);
    const profile = sessionStore.getState().session?.profile;
    if (profile) put('profile', profile.kind);
    const title = isTraining() ? 'Training — Countersign' : windowTitle(profile);
    if (document.title !== title) document.title = title;
  };
  apply();
  dark.addEventListener('change', apply);
  uiStore.subscribe(apply);
  sessionStore.subscribe(apply);
}

function WorkWindow(): ReactElement {
  const session = useStore(sessionStore, (state) => state.session);
  const formats = useMemo(() => formatsIn({ session }), [session]);
  return (
    <FormatsProvider value={formats}>
      <Shell />
    </FormatsProvider>
  );
}

followTheme();
keepFocus(document);
if (!isTraining()) startStores();
if (desktopHost) followDesktop(desktopHost);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <>
      <Region fallback={windowFault}>
        <Suspense>{isTraining() ? <TrainingWindow /> : <WorkWindow />}</Suspense>
      </Region>
      <Region fallback={null}>
        <StopKey />
      </Region>
    </>,
  );
}

/**
 * The shortcut of the emergency stop, with any dialog open. It acts at once; while a person types, it may have been meant for the
 * text, so it asks once, and a second press stops.
 */
function StopKey(): ReactElement | null {
  const [isAsking, setIsAsking] = useState(false);
  const stop = (): void => {
    setIsAsking(false);
    emergencyStop();
  };
  useWindowKeys((event) => {
    if (event.isComposing || shortcutOf(event, ['emergencyStop']) === null) return;
    event.preventDefault();
    // A key that is held is one press.
    if (event.repeat) return;
    if (!isAsking && isTyping(event.target)) setIsAsking(true);
    else stop();
  });
  if (!isAsking) return null;
  return (
    <Question
      title="Stop all agents?"
      stay="Keep typing"
      goOn={stopWords()}
      onStay={() => setIsAsking(false)}
      onGoOn={stop}
    >
      <p>All agents are frozen at once, and a pause of the running campaigns waits for your approval.</p>
    </Question>
  );
}
