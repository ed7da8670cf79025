import { after } from '../platform/after.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Ipc } from '../ipc/index.ts';
import type { Settings } from '../platform/settings.ts';
import type { AppWindow } from '../windows/index.ts';
import { createPagePort, setUpConfirmIpc } from './confirm-ipc.ts';
import { createConfirmWindow } from './confirm-window.ts';
import { createDesk, deskShowing, dismiss } from './controller.ts';

/** How long the app's page has for itself after its first painting, in milliseconds. */
const prepareAfterMs = 1500;

export interface ConfirmationOptions {
  core: CoreSupervisor;
  ipc: Ipc;
  settings: Settings;
  appWindow: Pick<AppWindow, 'onPainted'>;
  /** The person pressed it in the confirmation's own menu. */
  emergencyStop(): void;
  /** Path of the built preload. */
  preload: string;
}

/** The confirmation on the desktop. */
export interface Confirmation {
  /** A person pressed Review: the showing of this proposal comes to the front, in a window with the focus. */
  bringForward(proposalId: string): void;
  dispose(): void;
}

/** Shows what the core wants shown, one at a time, in a window of its own, and takes the person's decisions to the core. */
export function setUpConfirmation({
  core,
  ipc,
  settings,
  appWindow,
  emergencyStop,
  preload,
}: ConfirmationOptions): Confirmation {
  const window = createConfirmWindow({
    settings,
    preload,
    emergencyStop,
    onDismissed: () => dismiss({ desk, core }),
    onFocusChanged: (focused) => desk.attended(focused),
  });
  const desk = createDesk({
    window,
    monotonicMs: () => performance.now(),
    after,
  });
  const port = createPagePort({ desk, window, core });
  const stops = [
    setUpConfirmIpc({ ipc, webContents: () => window.webContents(), port }),
    core.onShow((showing) => {
      window.prepare();
      desk.take({ kind: 'shown', showing: deskShowing(showing), focused: window.isFocused() });
    }),
    core.onHide((showingId) => desk.take({ kind: 'hidden', showingId, focused: window.isFocused() })),
    core.onState(({ kind }) => {
      if (kind === 'restarting' || kind === 'stopped') desk.take({ kind: 'coreGone' });
    }),
    () => desk.dispose(),
  ];
  // Ready before the first question, and never in the way of the app's first rows.
  appWindow.onPainted(() => setTimeout(() => window.prepare(), prepareAfterMs));

  return {
    bringForward: (proposalId) => desk.take({ kind: 'reviewed', proposalId }),
    dispose: () => stops.forEach((stop) => stop()),
  };
}
