import type { Input, MenuItemConstructorOptions } from 'electron';

/** The emergency stop in a menu of any window. It needs no page and no question, and its key holds wherever the keyboard is. */
export function emergencyStopItem(press: () => void): MenuItemConstructorOptions {
  return { label: 'Emergency Stop', accelerator: 'CommandOrControl+Shift+F', click: () => press() };
}

/**
 * True for the key of the emergency stop, as a page would get it. On a keyboard of another script it is the key in the place of F, as
 * in the menus of the system.
 */
export function isStopKey(
  { key, code, shift, control, meta }: Pick<Input, 'key' | 'code' | 'shift' | 'control' | 'meta'>,
  platform: NodeJS.Platform,
): boolean {
  const isLatin = /^[a-z]$/i.test(key);
  const isF = isLatin ? key.toLowerCase() === 'f' : code === 'KeyF';
  return isF && shift && (platform === 'darwin' ? meta : control);
}
