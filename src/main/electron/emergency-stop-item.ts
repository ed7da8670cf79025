import type { MenuItemConstructorOptions } from 'electron';

/** The emergency stop in a menu of any window. It needs no page and no question, and its key holds wherever the keyboard is. */
export function emergencyStopItem(press: () => void): MenuItemConstructorOptions {
  return { label: 'Emergency Stop', accelerator: 'CommandOrControl+Shift+F', click: () => press() };
}
