import '#renderer/ui/styles/base.css';
import { type ReactElement, Suspense, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { desktopHost, type DesktopHost } from '#renderer/api/desktop-host.ts';
import { desktopStore, updatesStore } from '#renderer/stores/desktop-store.ts';
import { isTraining } from '#renderer/api/bridge.ts';
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
import { doMenuCommand } from './sections.ts';
import { windowFault } from './frame/faults.tsx';
import { windowTitle } from './profile-words.ts';
import { Shell } from './frame/shell.tsx';
import { startStores } from './start-stores.ts';
import { emergencyStop, stopWords } from './freeze.tsx';
import { lazily } from './lazily.ts';

const TrainingWindow = lazily(async () => (await import('./training/training-window.tsx')).TrainingWindow);

/** Writes attributes only if they change, because charts are redrawn after every write. */
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

function followDesktop(host: DesktopHost): void {
  const { start, setTheme } = desktopStore.getState();
  host.onMenuCommand((command) => doMenuCommand(command, uiStore.getState()));
  void setTheme(uiStore.getState().theme);
  uiStore.subscribe((now, before) => {
    if (now.theme !== before.theme) void setTheme(now.theme);
  });
  void start();
  if (isTraining()) return;
  updatesStore.getState().start();
  reportFirstRows(host);
}

function reportFirstRows(host: DesktopHost): void {
  const marks = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first row painted').length === 0) return;
    marks.disconnect();
    void host.ask('desktop.firstRows', {}).catch(() => undefined);
  });
  marks.observe({ type: 'mark', buffered: true });
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
        <EmergencyStopShortcut />
      </Region>
    </>,
  );
}

/** Works in dialogs, too. While the person types, the first press only asks for confirmation. */
function EmergencyStopShortcut(): ReactElement | null {
  const [isAsking, setIsAsking] = useState(false);
  const stop = (): void => {
    setIsAsking(false);
    emergencyStop();
  };
  useWindowKeys((event) => {
    if (event.isComposing || shortcutOf(event, ['emergencyStop']) === null) return;
    event.preventDefault();
    // A held key counts as one press.
    if (event.repeat) return;
    if (!isAsking && isTyping(event.target)) setIsAsking(true);
    else stop();
  });
  if (!isAsking) return null;
  return (
    <Question
      title="Stop all agents?"
      stay="Keep typing"
      confirmLabel={stopWords()}
      onStay={() => setIsAsking(false)}
      onConfirm={stop}
    >
      <p>All agents are frozen at once, and a pause of the running campaigns waits for your approval.</p>
    </Question>
  );
}
