import type { Settings } from '../platform/settings.ts';

/** A window as far as hiding it needs. */
export interface HideableWindow {
  isDestroyed(): boolean;
  isFullScreen(): boolean;
  setFullScreen(on: boolean): void;
  once(event: 'leave-full-screen', listener: () => void): unknown;
  hide(): void;
}

/** Where to find the app once its window is hidden. */
export interface HiddenPlace {
  message: string;
  detail: string;
}

/** The tray as people on each system know it. */
const places: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'from the Dock or from its icon in the menu bar',
  win32: 'from its icon at the end of the taskbar, behind the arrow if it is not in sight',
};

function placeOn(platform: NodeJS.Platform): HiddenPlace {
  const where = places[platform] ?? 'from its icon in the tray';
  const detail = `Changes that wait for you still reach you. Its window opens again ${where}; the icon’s menu has Quit Countersign.`;
  return { message: 'Countersign keeps running', detail };
}

export interface HidingOptions<W> {
  platform: NodeJS.Platform;
  settings: Pick<Settings, 'get' | 'set'>;
  /** Says it above the window; resolves when it was read. */
  explain(window: W, place: HiddenPlace): Promise<void>;
}

/**
 * Makes the function that hides a window which was closed. The first time on this computer it says where the app goes on, while the
 * window is still there to look at. Closing it again meanwhile changes nothing.
 */
export function createHiding<W extends HideableWindow>({ platform, settings, explain }: HidingOptions<W>) {
  let isHiding = false;

  async function explainOnce(window: W): Promise<void> {
    if (settings.get('hidingExplained')) return;
    await explain(window, placeOn(platform));
    settings.set('hidingExplained', true);
  }

  return async (window: W): Promise<void> => {
    if (isHiding) return;
    isHiding = true;
    await explainOnce(window).finally(() => (isHiding = false));
    if (window.isDestroyed()) return;
    if (platform !== 'darwin' || !window.isFullScreen()) return window.hide();
    // A window that is hidden in full screen leaves an empty, black space behind on macOS.
    window.once('leave-full-screen', () => window.hide());
    window.setFullScreen(false);
  };
}
