import type { MenuItemConstructorOptions } from 'electron';
import { type ShortcutName, shortcutKeys } from '#shared/lib/shortcuts.ts';

/** The accelerator of a shortcut, as menus of Electron name it. */
export const acceleratorOf = (name: ShortcutName): string =>
  shortcutKeys(name, false).join('+').replace('Ctrl', 'CommandOrControl').replace('⇧', 'Shift');

/** The emergency stop in a menu of any window. It needs no page and no question, and its shortcut works in every window. */
export function emergencyStopItem(press: () => void): MenuItemConstructorOptions {
  return { label: 'Emergency Stop', accelerator: acceleratorOf('emergencyStop'), click: () => press() };
}
