import {
  type PagePlace,
  confirmPushes,
  desktopOrigins,
  originNames,
  type ConfirmPush,
} from '#shared/host-api/index.ts';
import { after } from '#system/after.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import type { Ipc } from '../ipc/registrar.ts';
import type { Settings } from '../platform/settings.ts';
import { type AppWindow, living, openingPlace, rememberPlace, windowIcon } from '../windows/app-window.ts';
import { securePreferences } from '../windows/guards.ts';
import { windowColour, windowTitle } from '../windows/title-and-closing.ts';
import { createPagePort, setUpConfirmIpc } from './confirm-ipc.ts';
import { createConfirmationController, displayRef, dismiss, type ControllerWindow } from './controller.ts';
import { app, BrowserWindow, Menu, nativeTheme, screen, type WebContents } from 'electron';
import { createListeners } from '#shared/lib/listeners.ts';
import { partitions } from '../pages/serve-pages.ts';
import { confirmMenuTemplate } from '../shell/menus/menus.ts';
import { largestConfirmSize } from '../windows/fit-place.ts';

const prepareAfterMs = 1500;

export interface ConfirmationOptions {
  place: PagePlace;
  core: CoreSupervisor;
  ipc: Ipc;
  settings: Settings;
  appWindow: Pick<AppWindow, 'onPainted'>;
  preload: string;
}

export interface Confirmation {
  bringForward(proposalId: string): void;
  onEmergencyStop(listener: () => void): () => void;
  onFocusChanged(listener: (focused: boolean) => void): () => void;
  current(): string | null;
  setQuiet(quiet: boolean): void;
  dispose(): void;
}

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
    core.onShow((display) => {
      window.prepare();
      controller.take({ kind: 'shown', display: displayRef(display), focused: window.isFocused() });
    }),
    core.onHide((displayId) => controller.take({ kind: 'hidden', displayId, focused: window.isFocused() })),
    core.onState(({ kind }) => {
      if (kind === 'restarting' || kind === 'stopped') controller.take({ kind: 'coreGone' });
    }),
    () => controller.dispose(),
    () => window.dispose(),
  ];
  // Prepares the window before the first question, but after the app has drawn its first rows.
  appWindow.onPainted(() => setTimeout(() => window.prepare(), prepareAfterMs));

  return {
    bringForward: (proposalId) => controller.take({ kind: 'reviewed', proposalId }),
    onEmergencyStop: window.onEmergencyStop,
    onFocusChanged: window.onFocusChanged,
    current: () => controller.active()?.display.proposalId ?? null,
    setQuiet: controller.setQuiet,
    dispose: () => stops.forEach((stop) => stop()),
  };
}

const title = 'Confirm a change';

const minimumSize = { width: 560, height: 480 };
const defaultSize = { width: 760, height: 680 };

/** With more zoom, the page could not show a question together with its buttons. */
const zoom = { min: 0.75, max: 2 };

const placeOf = { work: 'confirmPlace', training: 'trainingConfirmPlace' } as const;

function createConfirmWindow({
  place,
  settings,
  preload,
}: {
  place: PagePlace;
  settings: Settings;
  preload: string;
}) {
  const name = originNames[place].confirm;
  const dismissals = createListeners<void>();
  const focusChanges = createListeners<boolean>();
  const stopPresses = createListeners<void>();
  let current: BrowserWindow | null = null;
  let isQuitting = false;

  const quitting = (): void => {
    isQuitting = true;
  };
  app.on('before-quit', quitting);

  function make(): BrowserWindow {
    const { maximised: _, ...bounds } = openingPlace(settings.get(placeOf[place]), defaultSize, minimumSize);
    const window = new BrowserWindow({
      ...bounds,
      minWidth: minimumSize.width,
      minHeight: minimumSize.height,
      show: false,
      // Lets a hidden page know that it is hidden, so that its buttons arm only when it is shown.
      paintWhenInitiallyHidden: false,
      maximizable: false,
      fullscreenable: false,
      title: windowTitle(place, null, title),
      ...windowIcon(process.platform),
      backgroundColor: windowColour(nativeTheme.shouldUseDarkColors),
      webPreferences: securePreferences({ preload, partition: partitions[name], packaged: app.isPackaged }),
    });
    // On macOS the menu bar belongs to the application, not to a window.
    if (process.platform !== 'darwin') {
      window.setMenu(Menu.buildFromTemplate(confirmMenuTemplate(() => stopPresses.emit())));
      window.setMenuBarVisibility(false);
    }
    capSize(window);
    rememberPlace(window, (next) => settings.set(placeOf[place], next));
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('focus', () => {
      window.flashFrame(false);
      focusChanges.emit(true);
    });
    window.on('blur', () => focusChanges.emit(false));
    // Not every system reports that a hidden window has lost the focus.
    window.on('hide', () => focusChanges.emit(false));
    window.on('close', (event) => {
      if (isQuitting) return;
      event.preventDefault();
      dismissals.emit();
    });
    window.on('closed', () => {
      if (current === window) current = null;
    });
    window.webContents.on('render-process-gone', () => setImmediate(() => giveUp(window)));
    void window.loadURL(`${desktopOrigins[name]}/`).catch(() => {
      // The window stays empty and cannot decide. Closing it returns the question to the Proposals page.
    });
    return window;
  }

  /** A crashed page must not decide. The next display gets a new window. */
  function giveUp(window: BrowserWindow): void {
    if (isQuitting || living(window) === null) return;
    dismissals.emit();
    window.destroy();
  }

  function push(name: ConfirmPush, payload?: number): void {
    living(current)?.webContents.send(name, payload);
  }

  const controlled: ControllerWindow = {
    isVisible: () => living(current)?.isVisible() === true && living(current)?.isMinimized() === false,
    isFocused: () => living(current)?.isFocused() ?? false,
    show(focus) {
      if (isQuitting && current === null) return;
      current ??= make();
      capSize(current);
      capZoom(current);
      // The focus may move between windows of this app, but is never taken from another program.
      if (!focus || BrowserWindow.getFocusedWindow() === null) {
        current.showInactive();
        return current.moveTop();
      }
      if (current.isMinimized()) current.restore();
      current.show();
      current.focus();
    },
    hide: () => living(current)?.hide(),
    attract() {
      if (BrowserWindow.getFocusedWindow() === null) living(current)?.flashFrame(true);
    },
    reopen: () => push(confirmPushes.reopened),
    nameProfile: (profile) => living(current)?.setTitle(windowTitle(place, profile, title)),
    reportWaiting: (count) => push(confirmPushes.waiting, count),
  };
  return {
    ...controlled,
    onDismissed: dismissals.add,
    onFocusChanged: focusChanges.add,
    onEmergencyStop: stopPresses.add,
    prepare(): void {
      if (!isQuitting) current ??= make();
    },
    webContents: (): WebContents | null => living(current)?.webContents ?? null,
    dispose(): void {
      app.off('before-quit', quitting);
      isQuitting = true;
      living(current)?.destroy();
    },
  };
}

function capSize(window: BrowserWindow): void {
  const largest = largestConfirmSize(screen.getDisplayMatching(window.getBounds()).workArea, minimumSize);
  window.setMaximumSize(largest.width, largest.height);
  const { width, height } = window.getBounds();
  if (width <= largest.width && height <= largest.height) return;
  window.setSize(Math.min(width, largest.width), Math.min(height, largest.height));
  window.center();
}

function capZoom({ webContents }: BrowserWindow): void {
  const factor = webContents.getZoomFactor();
  const clamped = Math.min(zoom.max, Math.max(zoom.min, factor));
  if (clamped !== factor) webContents.setZoomFactor(clamped);
}
