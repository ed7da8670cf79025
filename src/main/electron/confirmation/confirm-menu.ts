import type { MenuItemConstructorOptions } from 'electron';
import { emergencyStopItem } from '../emergency-stop-item.ts';

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
