import type { PagePlace } from '#shared/host-api/index.ts';
import { after } from '#system/after.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Ipc } from '../ipc/index.ts';
import type { Settings } from '../platform/settings.ts';
import type { AppWindow } from '../windows/index.ts';
import { createPagePort, setUpConfirmIpc } from './confirm-ipc.ts';
import { createConfirmWindow } from './confirm-window.ts';
import { createConfirmationController, showingRef, dismiss } from './controller.ts';

/** Time after the app page's first painting before the confirmation is prepared, in milliseconds. */
const prepareAfterMs = 1500;

export interface ConfirmationOptions {
  place: PagePlace;
  core: CoreSupervisor;
  ipc: Ipc;
  settings: Settings;
  appWindow: Pick<AppWindow, 'onPainted'>;
  /** Path of the built preload. */
  preload: string;
}

/** The confirmation on the desktop. */
export interface Confirmation {
  /** A person pressed Review: the showing of this proposal comes to the front, in a window with the focus. */
  bringForward(proposalId: string): void;
  /** Calls back when the user presses the emergency stop in the confirmation's own menu. Returns the unsubscribe function. */
  onEmergencyStop(listener: () => void): () => void;
  /** Calls back when its window gained or lost the focus. Returns the unsubscribe function. */
  onFocusChanged(listener: (focused: boolean) => void): () => void;
  /** The proposal that stands in it, on screen or held back; null if none does. */
  current(): string | null;
  /** While it is quiet, the window comes up only when a person asks for it. */
  setQuiet(quiet: boolean): void;
  dispose(): void;
}

/** Shows what the core wants shown, one at a time, in a window of its own, and takes the person's decisions to the core. */
export function setUpConfirmation({
  place,
  core,
  ipc,
  settings,
  appWindow,
  preload,
}: ConfirmationOptions): Confirmation {
  const window = createConfirmWindow({ place, settings, preload });
  const controller = createConfirmationController({
    window,
    monotonicMs: () => performance.now(),
    after,
  });
  const port = createPagePort({ controller, window, core });
  const stops = [
    window.onDismissed(() => dismiss({ controller, core })),
    window.onFocusChanged((focused) => controller.attended(focused)),
    setUpConfirmIpc({ ipc, place, webContents: () => window.webContents(), port }),
    core.onShow((showing) => {
      window.prepare();
      controller.take({ kind: 'shown', showing: showingRef(showing), focused: window.isFocused() });
    }),
    core.onHide((showingId) => controller.take({ kind: 'hidden', showingId, focused: window.isFocused() })),
    core.onState(({ kind }) => {
      if (kind === 'restarting' || kind === 'stopped') controller.take({ kind: 'coreGone' });
    }),
    () => controller.dispose(),
    () => window.dispose(),
  ];
  // Ready before the first question, and never in the way of the app's first rows.
  appWindow.onPainted(() => setTimeout(() => window.prepare(), prepareAfterMs));

  return {
    bringForward: (proposalId) => controller.take({ kind: 'reviewed', proposalId }),
    onEmergencyStop: window.onEmergencyStop,
    onFocusChanged: window.onFocusChanged,
    current: () => controller.active()?.showing.proposalId ?? null,
    setQuiet: controller.setQuiet,
    dispose: () => stops.forEach((stop) => stop()),
  };
}
