import {
  type BrowserWindow,
  type BrowserWindowConstructorOptions,
  nativeImage,
  screen,
  type WebContents,
} from 'electron';
import type { WindowPlace } from '#shared/host-api/index.ts';
import { windowPicture } from '../platform/pictures.ts';
import { fitPlace, middleOf, type Size } from './fit-place.ts';

/** Moving a window reports every step; the last one counts, in milliseconds. */
const settledMs = 400;

/**
 * Returns the place of a window that opens: its remembered place made to fit today's screens, else the middle of the
 * main screen.
 */
export function openingPlace(place: WindowPlace | null, usual: Size, minimum: Size): WindowPlace {
  const main = screen.getPrimaryDisplay().workArea;
  const others = screen.getAllDisplays().map(({ workArea }) => workArea);
  const wanted = place ?? { ...middleOf(main, usual), ...usual, maximised: false };
  return fitPlace(wanted, [main, ...others], minimum);
}

/** Stores the place of the window after each move and when it closes. Ends with the window. */
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

/**
 * Returns the window, or null from the moment at which it has lost its contents. A window that closes loses them before it is
 * told as destroyed; to show it or to send it anything in between ends the program.
 */
export function living(window: BrowserWindow | null): BrowserWindow | null {
  if (window === null || window.isDestroyed()) return null;
  const contents = window.webContents as WebContents | undefined;
  return contents === undefined || contents.isDestroyed() ? null : window;
}

/** The picture of every window where the program has none of its own. */
export function windowIcon(platform: NodeJS.Platform): Pick<BrowserWindowConstructorOptions, 'icon'> {
  if (platform !== 'linux') return {};
  return { icon: nativeImage.createFromBuffer(Buffer.from(windowPicture, 'base64')) };
}
