import {
  app,
  BrowserWindow,
  nativeTheme,
  type WebContents,
  type BrowserWindowConstructorOptions,
  nativeImage,
  screen,
} from 'electron';
import {
  type AppPush,
  desktopOrigins,
  originNames,
  type PagePlace,
  type WindowPlace,
} from '#shared/host-api/index.ts';
import { partitions } from '../pages/serve-pages.ts';
import { showBox } from '../shell/native-dialogs.ts';
import type { Settings } from '../platform/settings.ts';
import { securePreferences } from './guards.ts';
import {
  createHiding,
  type HiddenPlace,
  afterCrash,
  closeMeans,
  windowColour,
  windowTitle,
} from './title-and-closing.ts';
import { windowPicture } from '../platform/app-image.ts';
import { fitPlace, middleOf, type Size } from './fit-place.ts';

const minimum = { width: 960, height: 600 };
const usual = { width: 1280, height: 800 };

export interface AppWindowOptions {
  place: PagePlace;
  settings: Settings;
  preload: string;
  /** Called when a person closed the window. Without it, `closeMeans` decides what closing does. */
  onClosed?(): void;
}

export interface AppWindow {
  /** Creates the window if there is none; it appears once painted. A quiet window stays hidden until `focus`. */
  open(options?: { isQuiet: boolean }): void;
  focus(): void;
  isFocused(): boolean;
  onFocusChanged(listener: (focused: boolean) => void): () => void;
  onPainted(listener: () => void): void;
  /** Calls the listener whenever the page ends: after a crash, a reload, or the final close of its window. */
  onPageEnded(listener: () => void): void;
  webContents(): WebContents | null;
  setTitle(title: string): void;
  send(push: AppPush, payload: unknown): void;
  browserWindow(): BrowserWindow | null;
  dispose(): void;
}

export function createAppWindow({ place, settings, preload, onClosed }: AppWindowOptions): AppWindow {
  const name = originNames[place].app;
  const focusListeners = new Set<(focused: boolean) => void>();
  const paintListeners = new Set<() => void>();
  const endListeners = new Set<() => void>();
  let current: BrowserWindow | null = null;
  let title = windowTitle(place, null);
  let painted = false;
  let maximised = false;
  let isQuiet = false;
  let isQuitting = false;

  const quitting = (): void => {
    isQuitting = true;
  };
  app.on('before-quit', quitting);
  const hide = createHiding({ platform: process.platform, settings, explain: explainHiding });

  function make(): BrowserWindow {
    const { maximised: wasMaximised, ...bounds } = openingPlace(settings.get(placeOf[place]), usual, minimum);
    maximised = wasMaximised;
    const window = new BrowserWindow({
      ...bounds,
      minWidth: minimum.width,
      minHeight: minimum.height,
      show: false,
      title,
      ...windowIcon(process.platform),
      // The system draws the menu bar in its own colours. Alt shows it; its shortcuts work while it is hidden.
      autoHideMenuBar: process.platform !== 'darwin',
      backgroundColor: windowColour(nativeTheme.shouldUseDarkColors),
      webPreferences: securePreferences({ preload, partition: partitions[name], packaged: app.isPackaged }),
    });
    rememberPlace(window, (next) => settings.set(placeOf[place], next));
    window.once('ready-to-show', () => {
      if (!isQuiet) showFirst(window);
      painted = true;
      for (const listener of paintListeners) listener();
      paintListeners.clear();
    });
    // The title contains the profile's name, which comes from the core; a page must not change it.
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('focus', () => focusListeners.forEach((listener) => listener(true)));
    window.on('blur', () => focusListeners.forEach((listener) => listener(false)));
    window.on('close', (event) => {
      if (isQuitting || onClosed !== undefined) return;
      event.preventDefault();
      if (closeMeans(process.platform, settings.get('staysInTray')) === 'quit') app.quit();
      else void hide(window);
    });
    const pageEnded = (): void => endListeners.forEach((listener) => listener());
    window.webContents.on('render-process-gone', pageEnded);
    window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) pageEnded();
    });
    window.on('closed', () => {
      current = null;
      pageEnded();
      onClosed?.();
    });
    recoverFromCrashes(window, place);
    void load(window, place);
    return window;
  }

  function showFirst(window: BrowserWindow): void {
    // Maximizing also shows the window.
    if (maximised) window.maximize();
    window.show();
  }

  const open: AppWindow['open'] = (options) => {
    if (current !== null) return;
    isQuiet = options?.isQuiet === true;
    current = make();
  };

  return {
    open,
    focus() {
      open();
      const wasQuiet = isQuiet;
      isQuiet = false;
      const window = living(current);
      if (window === null || !painted) return;
      if (wasQuiet) showFirst(window);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    isFocused: () => current?.isFocused() ?? false,
    onFocusChanged(listener) {
      focusListeners.add(listener);
      return () => focusListeners.delete(listener);
    },
    onPainted(listener) {
      if (painted) listener();
      else paintListeners.add(listener);
    },
    onPageEnded: (listener) => void endListeners.add(listener),
    webContents: () => living(current)?.webContents ?? null,
    setTitle(next) {
      title = next;
      living(current)?.setTitle(next);
    },
    send(push, payload) {
      living(current)?.webContents.send(push, payload);
    },
    browserWindow: () => current,
    dispose() {
      app.off('before-quit', quitting);
      current?.destroy();
    },
  };
}

async function explainHiding(window: BrowserWindow, { message, detail }: HiddenPlace): Promise<void> {
  await showBox({ type: 'info', message, detail, buttons: ['OK'], noLink: true }, window);
}

const placeOf = { work: 'appPlace', training: 'trainingPlace' } as const;

async function load(window: BrowserWindow, place: PagePlace): Promise<void> {
  // Closing the window during the load aborts the load.
  await window.loadURL(`${desktopOrigins[originNames[place].app]}/`).catch(() => living(window)?.show());
}

function recoverFromCrashes(window: BrowserWindow, place: PagePlace): void {
  const crashesAtMs: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    crashesAtMs.push(Date.now());
    const next = afterCrash(crashesAtMs);
    if (next.kind === 'reload') {
      setTimeout(() => {
        if (living(window) !== null) void load(window, place);
      }, next.afterMs);
    } else void askAfterCrash(window, place);
  });
}

async function askAfterCrash(window: BrowserWindow, place: PagePlace): Promise<void> {
  const isWork = place === 'work';
  const response = await showBox(
    {
      type: 'error',
      message: `The ${isWork ? 'Countersign' : 'Training'} window crashed twice.`,
      detail:
        'Nothing is sent without your confirmation, and a change that was on its way is checked by reading it back.',
      buttons: ['Reopen window', isWork ? 'Quit Countersign' : 'Close Training'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    },
    window,
  );
  if (response === 0) {
    if (living(window) !== null) await load(window, place);
  } else if (isWork) app.quit();
  else if (!window.isDestroyed()) window.close();
}

/** In milliseconds. Moving a window reports every step; only the last position is stored. */
const settledMs = 400;

export function openingPlace(place: WindowPlace | null, usual: Size, minimum: Size): WindowPlace {
  const main = screen.getPrimaryDisplay().workArea;
  const others = screen.getAllDisplays().map(({ workArea }) => workArea);
  const wanted = place ?? { ...middleOf(main, usual), ...usual, maximised: false };
  return fitPlace(wanted, [main, ...others], minimum);
}

export function rememberPlace(window: BrowserWindow, remember: (place: WindowPlace) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    remember({ ...window.getNormalBounds(), maximised: window.isMaximized() });
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(keep, settledMs);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('close', keep);
  window.on('closed', () => clearTimeout(timer));
}

/** Returns null once the window lost its contents: showing or messaging a window that is being destroyed crashes the program. */
export function living(window: BrowserWindow | null): BrowserWindow | null {
  if (window === null || window.isDestroyed()) return null;
  const contents = window.webContents as WebContents | undefined;
  return contents === undefined || contents.isDestroyed() ? null : window;
}

export function windowIcon(platform: NodeJS.Platform): Pick<BrowserWindowConstructorOptions, 'icon'> {
  if (platform !== 'linux') return {};
  return { icon: nativeImage.createFromBuffer(Buffer.from(windowPicture, 'base64')) };
}
