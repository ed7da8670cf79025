import type { MenuItemConstructorOptions } from 'electron';
import { emergencyStopItem } from '../platform/accelerators.ts';

export interface Extent {
  width: number;
  height: number;
}

/** The smallest size that shows the question, its figures and both buttons. */
export const minimumSize: Extent = { width: 560, height: 480 };

export const usualSize: Extent = { width: 760, height: 680 };

/** Largest part of a screen that the confirmation may cover: its subject stays visible behind it. */
const share = 0.9;

/** The largest size on a screen with this work area, never below the smallest. */
export function largestSize(workArea: Extent): Extent {
  return {
    width: Math.max(minimumSize.width, Math.floor(workArea.width * share)),
    height: Math.max(minimumSize.height, Math.floor(workArea.height * share)),
  };
}

/**
 * The menu of the confirmation's window, where each window has its own: closing, editing text and zoom, and the emergency
 * stop, whose key holds wherever the keyboard is. Nothing in it, and no key of it, decides anything.
 */
export function confirmMenuTemplate(actions: { emergencyStop(): void }): MenuItemConstructorOptions[] {
  return [
    { label: 'File', submenu: [{ role: 'close' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
    {
      label: 'Agents',
      submenu: [emergencyStopItem(() => actions.emergencyStop())],
    },
  ];
}
